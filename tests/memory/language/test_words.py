"""A text as words, for any script."""

import pytest

from recollect.memory.language.words import folded_words, words_of


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Don't tell Anna's boss!", ["don't", "tell", "anna", "'s", "boss"]),
        ("L’école d'été", ["l'", "ecole", "d'", "ete"]),
        ("co-worker ＡＢＣ", ["co", "worker", "abc"]),
        ("我的密码 is x", ["我", "的", "密", "码", "is", "x"]),
        ("مُديري", ["مديري"]),
        ("pass\u200bword Straße", ["password", "strasse"]),
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
        ("", []),
        ("...", []),
    ],
)
def test_words_are_folded_in_every_script(text, folded):
    """Case, accents, width and invisible characters make no difference between words."""
    assert folded_words(text) == folded
    assert words_of(text).folded == folded


def test_words_know_where_they_stand():
    """Each word is the slice of the text at its offsets, invisible characters included."""
    words = words_of("Ça va, pass\u200bword 12!")
    assert [words.text[a:b] for a, b in zip(words.starts, words.ends, strict=True)] == words.raw


def test_punctuation_parts_clauses_and_sentences():
    """A comma parts clauses, a full stop before a blank and a line end part sentences."""
    words = words_of("It costs 3.50 euros, I think. Ask Bob\nThanks. 好。再见")
    assert sorted(words.clause_starts) == [0, 3, 5, 7, 9, 10, 11]
    assert [" ".join(words.folded[a:b]) for a, b in words.sentences] == [
        "it costs 3 50 euros i think", "ask bob", "thanks", "好", "再 见",
    ]  # fmt: skip


def test_a_short_text_is_read_once():
    """The words of a text are kept for the next reader of the same text."""
    assert words_of("the same text") is words_of("the same text")
