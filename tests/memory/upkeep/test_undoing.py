"""What takes a run back."""

from __future__ import annotations

from dataclasses import replace

from recollect.memory.learn.records import version_id
from recollect.memory.model.jobs import JobKind
from recollect.memory.model.types import EventKind, MemoryItem, MemoryStatus, MemoryType
from recollect.memory.model.upkeep import RunChange, UpkeepRun
from recollect.memory.upkeep.undoing import batch_of, undoing, versions_of
from tests.memory.learn.doubles import ALICE, NOON

ITEM = MemoryItem(
    id="m",
    text="User likes tea",
    type=MemoryType.SEMANTIC,
    scope=ALICE,
    created_at=NOON,
    updated_at=NOON,
    embedder_id="e",
    version=2,
)


def run(*changes):
    return UpkeepRun(
        id="r", scope=ALICE, kind=JobKind.CONSOLIDATE, at=NOON, reason="call", changes=changes
    )


def back(event, item, *more):
    made = run(RunChange("m", event, 2))
    known = {each.id: each for each in (item, *more)}
    return [(one.event, one.text) for one in undoing(made, known).decisions]


def test_each_change_has_its_contrary():
    """What was made ends, what ended or was archived comes back, a text is as it was."""
    ended = replace(ITEM, status=MemoryStatus.SUPERSEDED)
    aside = replace(ITEM.provenance, archived_from=MemoryStatus.ACTIVE)
    archived = replace(ITEM, status=MemoryStatus.ARCHIVED, provenance=aside)
    before = replace(ITEM, id=version_id("r", "m"), text="User likes coffee")
    assert back(EventKind.ADD, ITEM) == [(EventKind.DELETE, ITEM.text)]
    assert back(EventKind.DELETE, ended) == [(EventKind.RESTORE, ITEM.text)]
    assert back(EventKind.ARCHIVE, archived) == [(EventKind.RESTORE, ITEM.text)]
    assert back(EventKind.UPDATE, ITEM, before) == [(EventKind.UPDATE, "User likes coffee")]
    assert back(EventKind.NONE, ITEM) == []
    assert versions_of(run(RunChange("m", EventKind.UPDATE, 2))) == [before.id]


def test_what_is_away_already_is_left():
    """An added memory that somebody archived stays archived; an ended one that holds again holds."""
    assert back(EventKind.ADD, replace(ITEM, status=MemoryStatus.ARCHIVED)) == []
    assert back(EventKind.DELETE, ITEM) == []
    assert back(EventKind.UPDATE, ITEM) == []


def test_what_was_changed_or_is_gone_is_named():
    """Nothing is decided about it."""
    made = run(RunChange("m", EventKind.DELETE, 2), RunChange("gone", EventKind.DELETE, 2))
    told = undoing(made, {"m": replace(ITEM, version=3)})
    assert told.decisions == ()
    assert told.kept == {"m": "it was changed since", "gone": "it is gone"}


def test_what_was_taken_back_is_not_taken_back_again():
    """It is neither decided about nor named as changed."""
    made = run(RunChange("m", EventKind.DELETE, 2))
    origin = replace(ITEM.provenance, batch=batch_of(made))
    told = undoing(made, {"m": replace(ITEM, version=3, provenance=origin)})
    assert (told.decisions, told.kept) == ((), {})
