"""Scripts by their blocks."""

from recollect.memory.language.scripts import is_all_latin, script_of
from tests.support.folding import rows


@rows(
    "word, script",
    [("abc", "latin"), ("été", "latin"), ("дом", "cyrillic"), ("猫", "han"), ("\U0001f44d", "")],
)
def test_script_of(word, script):
    """By the first letter that has a script."""
    assert script_of(word) == script


def test_latin_with_accents_is_latin():
    """A single letter of another script is not."""
    assert is_all_latin("Où est-il?")
    assert not is_all_latin("Ann\u0430")
