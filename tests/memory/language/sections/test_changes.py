"""What tells that something is not so, in every language that says so."""

from recollect.memory.language import packs, scan
from tests.support.folding import rows

READ = tuple(code for code, pack in packs().items() if pack.changes.negated)
CUES = {
    "ar": ("لم يعد", "لا"),
    "de": ("nicht mehr", "kein"),
    "en": ("no longer", "not"),
    "es": ("ya no", "no"),
    "fr": ("ne fume plus", "pas"),
    "hi": ("अब नहीं", "नहीं"),
    "pt": ("já não", "não"),
    "zh": ("不再", "不"),
}
"""The contrary of a statement, and that something is not so."""
MARKS = ("contrary", "negated")


def test_the_languages():
    """A language that says what is not so says all else that two statements are compared by."""
    assert set(CUES) <= set(READ)
    for code in READ:
        changes = packs()[code].changes
        assert changes.conjunctions, code
        assert changes.denies_next or changes.denies_before


@rows("code, cues", CUES.items())
def test_each_cue_is_found(code, cues):
    """A cue of each kind is found, and none in a text without words."""
    for mark, cue in zip(MARKS, cues, strict=True):
        assert (code, f"changes.{mark}") in {
            (hit.language, hit.field) for hit in scan(f"... {cue}.").found(f"changes.{mark}")
        }
    assert not scan("...").section("changes")
