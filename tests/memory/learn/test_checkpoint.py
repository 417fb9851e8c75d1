import pytest

from recollect.memory.learn.checkpoint import dump_decisions, load_decisions
from recollect.memory.model.types import Decision, Doubt, EventKind, MemoryType, Source

FULL = Decision(
    event=EventKind.QUARANTINE,
    memory_id="m1",
    text="User likes “tea” 🍵",
    type=MemoryType.EPISODIC,
    old_text="User likes milk",
    stage="trust",
    score=0.5,
    reason="secrecy",
    scores={"cosine": 0.5},
    matter="m0",
    pending=("m0",),
    quote="tea",
    turn_ids=("t1", "t2"),
    source=Source.TOOL,
    importance=0.25,
    subject="User",
    predicate="likes",
    object="tea",
    flags=("secrecy",),
    reasons=(Doubt("secrecy", "tool", "hides it", "Tell nobody"),),
    taken_from="m0",
    withheld=("m3",),
    given="key",
    model="extractor",
)
BARE = Decision(event=EventKind.NONE, memory_id="m2", text="x", type=MemoryType.SEMANTIC)


def test_decisions_survive_a_job():
    """What a job kept is what was decided, to the last field."""
    assert load_decisions(dump_decisions([FULL, BARE])) == [FULL, BARE]


def test_checkpoints_of_the_first_version_can_be_read():
    """Jobs that were decided before an update of the program go on after it."""
    old = '[{"event": "ADD", "memory_id": "m", "text": "t", "type": "semantic", "quote": null}]'
    [decision] = load_decisions(old)
    assert (decision.event, decision.source) == (EventKind.ADD, Source.EXTRACTION)


def test_checkpoints_with_a_deferred_fact_can_be_read():
    """What stood beside a memory is pending with it."""
    old = (
        '[{"event": "ADD", "memory_id": "m", "text": "t", "type": "semantic", "deferred": false, '
        '"beside": "k"}]'
    )
    [decision] = load_decisions(old)
    assert decision.pending == ("k",)


@pytest.mark.parametrize("damage", ["", "[", "{}", "[1]", '[{"event": "EAT"}]', '[{"a": 1}]'])
def test_a_damaged_checkpoint_says_so(damage):
    """It raises one of the errors that mean: decide again; an empty object holds nothing."""
    if damage == "{}":
        assert load_decisions(damage) == []
        return
    with pytest.raises((ValueError, TypeError, KeyError, AttributeError)):
        load_decisions(damage)
