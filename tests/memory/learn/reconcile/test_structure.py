"""Pairs that their structure decides, in fifteen languages, and pairs that look like them."""

from collections import Counter
from pathlib import Path

from recollect.memory.calibration import SAFE, calibration_for
from recollect.memory.learn.reconcile import Neighbour, reconcile
from recollect.memory.types import Candidate, MemoryType
from tests.support.folding import rows

MINILM = calibration_for("all-MiniLM-L6-v2")
LANGUAGES = {
    *["ar", "de", "en", "es", "fr", "hi", "it", "ja", "ko", "nl", "pl", "pt", "ru", "tr", "zh"]
}


def pairs():
    """Each row of structure.txt."""
    lines = Path(__file__).with_name("structure.txt").read_text(encoding="utf-8").splitlines()
    return [line.split("|") for line in lines if not line.startswith("#")]


PAIRS = pairs()


def decide(new, score, old, calibration=MINILM):
    known = Neighbour("old", old, MemoryType.SEMANTIC, float(score))
    return reconcile(Candidate(text=new), [known], new_id="new", calibration=calibration)


@rows("zone, lang, event, new, score, old", PAIRS)
def test_what_structure_decides_is_right(zone, lang, event, new, score, old):
    """A pair is decided rightly or left to a model, and a trap never changes a memory wrongly."""
    decision = decide(new, score, old)
    assert decision.deferred or decision.event.value == event, (zone, lang, decision.reason)


def test_structure_decides_most_pairs():
    """Of each class three quarters need no model."""
    seen = Counter((row[0], decide(*row[3:]).deferred) for row in PAIRS)
    for zone in {row[0] for row in PAIRS} - {"trap"}:
        decided = seen[zone, False]
        assert decided >= 0.75 * (decided + seen[zone, True]), zone


def test_every_language_has_pairs():
    """The classes that words decide have a pair of each language with a file."""
    for zone in ("denied", "several", "holder", "single"):
        assert {row[1] for row in PAIRS if row[0] == zone} >= LANGUAGES, zone


@rows("zone, lang, event, new, score, old", PAIRS)
def test_structure_needs_no_cosine(zone, lang, event, new, score, old):
    """With an embedder that nobody calibrated, what is decided is right as well."""
    decision = decide(new, score, old, SAFE)
    assert decision.deferred or decision.event.value == event, (zone, lang, decision.reason)
