"""Why a memory that holds did not come up for a message."""

from recollect.memory.api import verdicts
from recollect.memory.api.verdicts import fate_for
from recollect.memory.recall import Drop
from tests.support.folding import rows


def row(reason, *, chosen=False, memory_id="m"):
    figures = {"rank": 2, "cosine": 0.214, "coverage": 0.5}
    return {"id": memory_id, "reason": reason, "chosen": chosen, **figures}


def explained(*memories, profile=(), recall=True, reason="personal"):
    return {
        "gate": {"recall": recall, "reason": reason},
        "chat": {"memory": "empty", "reason": reason},
        "profile": list(profile),
        "memories": list(memories),
    }


def test_every_reason_of_recall_has_words():
    """Whatever recall leaves a memory out for."""
    assert set(verdicts._DROPS) == set(Drop)


@rows(
    "reason, verdict",
    [
        ("threshold", "below_evidence"),
        ("limit", "cut"),
        ("budget", "cut"),
        ("duplicate", "duplicate"),
        ("contradicted", "contradicted"),
        ("unsafe", "withheld"),
        ("skipped", "not_asked"),
    ],
)
def test_what_recall_left_out(reason, verdict):
    """The word of the verdict, and the figures of the ranking in plain words."""
    fate = fate_for("m", explained(row("chosen", chosen=True, memory_id="other"), row(reason)))
    assert fate.verdict == verdict
    if verdict != "not_asked":
        assert "rank 2, 0.21 in meaning, 50 % of the message's words" in fate.why


def test_what_is_used():
    """Because it matches, or because of who asks."""
    assert fate_for("m", explained(row("chosen", chosen=True))).verdict == "used"
    assert fate_for("m", explained(profile=[{"id": "m"}])).verdict == "used"


def test_what_was_never_compared():
    """Too far down to be ranked; or the message is none that memory is searched for."""
    assert fate_for("m", explained(row("limit", memory_id="x"))).verdict == "below_evidence"
    fate = fate_for("m", explained(recall=False, reason="greeting"))
    assert (fate.verdict, "greeting" in fate.why) == ("not_asked", True)
