"""What tells that something changed, in every language that says so."""

from recollect.memory.language import packs, scan
from tests.support.folding import rows

READ = tuple(code for code, pack in packs().items() if pack.changes.ceased)
CUES = {
    "ar": ("لم يعد", "الآن", "أيضا", "يخطط", "لا"),
    "de": ("nicht mehr", "jetzt", "auch", "plant", "kein"),
    "en": ("no longer", "now", "also", "plans to", "not"),
    "es": ("ya no", "ahora", "también", "planea", "no"),
    "fr": ("a cessé", "maintenant", "aussi", "envisage", "pas"),
    "hi": ("छोड़ दिया", "अब", "भी", "योजना", "नहीं"),
    "ja": ("やめた", "現在", "また", "つもり", "ない"),
    "pt": ("deixou de", "agora", "também", "pretende", "não"),
    "zh": ("不再", "现在", "还有", "打算", "不"),
}
"""That something ended, changed, was added, is intended, and is not so."""
MARKS = ("ceased", "changed", "added", "intended", "negated")


def test_the_languages():
    """A language that says what ended says all else that two statements are compared by."""
    assert set(CUES) <= set(READ)
    for code in READ:
        changes = packs()[code].changes
        for name in (*MARKS, "past", "conjunctions", "lead", "light", "same"):
            assert getattr(changes, name), f"{code} {name}"
        assert {"side left", "side right", "age older", "age younger"} <= set(changes.contrasts)


@rows("code, cues", CUES.items())
def test_each_cue_is_found(code, cues):
    """A cue of each kind is found, and none in a text without words."""
    for mark, cue in zip(MARKS, cues, strict=True):
        assert (code, f"changes.{mark}") in {
            (hit.language, hit.field) for hit in scan(f"... {cue}.").found(f"changes.{mark}")
        }
    assert not scan("...").section("changes")
