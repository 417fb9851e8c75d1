"""How memories end by a person's word, and hold again."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from recollect.memory.model.ending import (
    REFILED,
    by_person,
    ended_by_a_person,
    ended_by_hand,
    held_again,
    is_duplicate,
    is_version,
    put_back,
    taken_back,
    was_so,
)
from recollect.memory.model.types import (
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Provenance,
    Scope,
)
from tests.support.folding import rows

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
LATER = NOON + timedelta(days=9)
ITEM = MemoryItem(
    id="m",
    text="User lives in Paris",
    type=MemoryType.SEMANTIC,
    scope=Scope(tenant="t", user_id="u"),
    created_at=NOON,
    updated_at=NOON,
    valid_from=NOON,
    embedder_id="e",
    provenance=Provenance(
        recorded_at=NOON, matter="g", pending=("other",), cites=("c",), batch="job"
    ),
)


@rows("status", [MemoryStatus.ACTIVE, MemoryStatus.QUARANTINED])
def test_it_comes_back_as_it_was(status):
    """Status, times and links; only the version and the time of its return are new."""
    item = replace(ITEM, status=status)
    ended = ended_by_hand(item, by_person("moved"), until=NOON, now=LATER)
    assert (ended.status, ended.provenance.ended) == (MemoryStatus.SUPERSEDED, "person: moved")
    back = held_again(ended, LATER)
    origin = replace(item.provenance, restored_at=LATER)
    assert back == replace(item, version=item.version + 2, provenance=origin)


def test_what_a_later_statement_ended_is_as_old_as_before():
    """Its end had moved `updated_at`."""
    origin = replace(ITEM.provenance, ended="change: left")
    ended = replace(ITEM, status=MemoryStatus.SUPERSEDED, updated_at=LATER, provenance=origin)
    assert held_again(ended, LATER).updated_at == NOON


def test_whether_it_was_ever_so():
    """What was so until a time was; what never was so, a mistake and mere filing were not."""
    never = ended_by_hand(ITEM, by_person(""), until=NOON, now=LATER)
    once = ended_by_hand(ITEM, by_person("left"), until=LATER, now=LATER)
    other = replace(ITEM, status=MemoryStatus.SUPERSEDED, valid_to=NOON)
    assert [was_so(each) for each in (never, once, other)] == [False, True, True]
    version = replace(once, provenance=replace(ITEM.provenance, superseded_by="n"))
    assert was_so(version)
    assert not was_so(taken_back(version, 3))
    assert not was_so(replace(version, provenance=replace(version.provenance, ended=REFILED)))


def test_who_ended_it():
    """A person did; a version of it, and what a rule ended, are not meant."""
    ended = ended_by_hand(ITEM, by_person(""), until=NOON, now=LATER)
    assert ended_by_a_person(ended)
    assert not ended_by_a_person(ITEM)
    origin = replace(ended.provenance, superseded_by="n")
    assert not ended_by_a_person(replace(ended, provenance=origin))


@rows("ended", [None, "change: corrected; twice\nover", REFILED])
def test_a_mark_of_a_version_is_taken_off_again(ended):
    """What the version said of its end before is there again."""
    version = replace(ITEM, provenance=replace(ITEM.provenance, ended=ended))
    marked = taken_back(version, 5)
    assert taken_back(marked, 7) == marked
    assert put_back(marked, 6) == marked
    assert put_back(marked, 5) == version
    assert put_back(version, 5) == version


def test_a_duplicate_is_no_version_and_still_so():
    """It is no line of what was before, and comes back alone and as old as it was."""
    origin = replace(ITEM.provenance, superseded_by="n", ended="duplicate: says the same")
    ended = replace(ITEM, status=MemoryStatus.SUPERSEDED, updated_at=LATER, provenance=origin)
    assert (is_duplicate(ended), is_version(ended), was_so(ended)) == (True, False, False)
    back = held_again(ended, LATER)
    assert (back.status, back.updated_at) == (MemoryStatus.ACTIVE, LATER)
    assert back.provenance.superseded_by is None
