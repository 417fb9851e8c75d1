"""What was true, and what was known."""

from dataclasses import replace
from datetime import timedelta

from recollect.memory.model.types import MemoryStatus, Provenance, Scope
from recollect.memory.query.versions import at_a_time, held
from tests.memory.stores.memories import NOON, memory

ALICE = Scope(tenant="t", user_id="alice")


def after(hours):
    return NOON + timedelta(hours=hours)


# In Oslo from noon on; in Rome from two o'clock on, which was told at five.
OSLO = replace(
    memory(ALICE, "Oslo", id="v1").item,
    status=MemoryStatus.SUPERSEDED,
    valid_from=NOON,
    valid_to=after(2),
    provenance=Provenance(recorded_at=NOON, superseded_by="m"),
)
ROME = replace(
    OSLO, id="m", text="Rome", status=MemoryStatus.ACTIVE, valid_from=after(2), valid_to=None,
    version=2, updated_at=after(5), provenance=Provenance(recorded_at=after(5)),
)  # fmt: skip
ENDED = replace(
    memory(ALICE, "has a cat", id="cat").item,
    status=MemoryStatus.SUPERSEDED,
    valid_to=after(3),
    updated_at=after(3),
    provenance=Provenance(recorded_at=after(4)),
)
ROWS = [OSLO, ROME, ENDED]


def texts(as_of, known_at=None):
    return sorted(item.text for item in at_a_time(ROWS, as_of=as_of, known_at=known_at))


def test_what_was_true_then():
    """As it is known now."""
    assert texts(after(-1)) == []
    assert texts(after(1)) == ["Oslo", "has a cat"]
    assert texts(after(2.5)) == ["Rome", "has a cat"]
    assert texts(after(6)) == ["Rome"]


def test_what_was_known_then():
    """The move was not known before it was told, nor that the cat would go."""
    assert texts(after(4), known_at=after(4)) == ["Oslo"]
    assert texts(after(3.5), known_at=after(3.5)) == ["Oslo", "has a cat"]
    assert texts(after(6), known_at=after(6)) == ["Rome"]
    assert texts(after(1), known_at=after(6)) == ["Oslo", "has a cat"]
    assert texts(after(3), known_at=after(4)) == ["Oslo"]
    assert texts(after(3), known_at=after(6)) == ["Rome"]


def test_an_earlier_version_is_shown_as_it_was():
    """Active, and without its end."""
    [found] = at_a_time([OSLO, ROME], as_of=after(3), known_at=after(3))
    assert (found.text, found.status, found.valid_to) == ("Oslo", MemoryStatus.ACTIVE, None)


def test_a_memory_without_times_is_true_from_when_it_is_known_on():
    """Not before: nobody can say."""
    item = memory(ALICE).item
    assert held(item, NOON)
    assert not held(item, after(-1))
