"""Stems, and the forms no rule finds."""

from recollect.memory.language import packs
from recollect.memory.language.analysis.stems import stem, stemming_language
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)


@rows("form, base", [
        ("went", "go"), ("going", "go"), ("bought", "buy"), ("ran", "running"), ("took", "takes"),
        ("thought", "think"), ("wrote", "writing"), ("children", "child"), ("people", "person"),
    ])  # fmt: skip
def test_irregular_forms_meet_their_base(form, base):
    """Chat is told in the past tense."""
    assert stem("en", form) == stem("en", base)


def test_no_base_form_is_a_form_of_another():
    """One look at the table is enough."""
    for code, pack in packs().items():
        rows = pack.words.irregular
        assert not {row[0] for row in rows} & {form for row in rows for form in row[1:]}, code


@rows("language, word, rules", ROWS["a word of another script follows its own rules"])
def test_a_word_of_another_script_follows_its_own_rules(language, word, rules):
    """The text's language decides only inside its script."""
    assert stemming_language(language, word) == rules


def test_without_an_algorithm_a_word_stays():
    """Ukrainian has no Snowball stemmer."""
    assert stem("uk", "собаки") == "собаки"
