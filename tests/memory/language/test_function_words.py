"""Function words by language."""

from recollect.memory.language.function_words import FALLBACK, function_words, function_words_of


def test_accents_may_be_left_out_where_people_do():
    """Spanish is often typed without them, German umlauts are not."""
    assert {"cómo", "como"} <= function_words_of("es")
    assert "fur" not in function_words_of("de")


def test_a_language_without_any_has_those_of_the_fallback():
    """Swahili has no pack, and Chinese has function characters instead."""
    assert function_words_of("sw") == function_words_of("zh") == function_words_of(FALLBACK)
    assert "zh" not in function_words()
