"""What goes to the archive because nobody needs it any more."""

from dataclasses import replace
from datetime import timedelta

from recollect.memory.embedders import FakeEmbedder
from recollect.memory.model.types import MemoryStatus, MemoryType
from recollect.memory.model.usage import Usage
from recollect.memory.upkeep.consolidate.archiving import ARCHIVED_PER_RUN, faded, to_archive
from tests.memory.learn.doubles import NOON
from tests.support.folding import rows

from .items import item, stored

NOW = NOON + timedelta(days=400)
OLD = item("old", "User saw a heron at the pond", importance=0.2)


async def archived(*items, below=0.1, used=None, held=()):
    memories = await stored(FakeEmbedder(), *items)
    weak = faded(memories, NOW, held=held)
    return [d.memory_id for d in to_archive(weak, used or {}, below, NOW)]


async def test_what_people_speak_against_goes_before_it_has_faded():
    """And what they speak for stays, whatever it weighs."""
    grave = replace(OLD, importance=1.0)
    assert await archived(grave, below=1e-6) == []
    assert await archived(grave, below=1e-6, used={"old": Usage(negative=10)}) == ["old"]
    assert await archived(OLD, used={"old": Usage(positive=1)}) == []


def with_origin(**fields):
    return replace(OLD, provenance=replace(OLD.provenance, **fields))


@rows(
    "kept",
    [
        with_origin(validated_at=NOON),
        with_origin(restored_at=NOON),
        with_origin(pending=("x",)),
        with_origin(withheld=("x",)),
        with_origin(recorded_at=NOW),
        replace(OLD, type=MemoryType.PROCEDURAL),
        replace(OLD, status=MemoryStatus.QUARANTINED),
        replace(OLD, updated_at=NOW - timedelta(days=80), importance=0.0),
        replace(OLD, text="User is allergic to penicillin"),
        replace(OLD, text="User is a vegetarian"),
        replace(OLD, text="Always answer in German"),
    ],
)
async def test_what_must_not_leave_recall_stays(kept):
    """What a person dealt with, what answers must respect, how things are done, what is new."""
    assert await archived(kept) == []


@rows(
    "usage, gone",
    [
        (Usage(recalled=9, last_recalled=NOW - timedelta(days=10)), False),
        (Usage(recalled=1, last_recalled=NOW - timedelta(days=300)), True),
        (Usage(positive=1), False),
        (Usage(positive=1, negative=2), True),
        (Usage(confirmed=1), False),
    ],
)
async def test_what_was_used_lately_or_called_useful_stays(usage, gone):
    """Whatever its importance."""
    assert await archived(OLD, used={"old": usage}) == (["old"] if gone else [])


async def test_the_least_salient_go_first_so_many_at_once():
    """The next run goes on."""
    count = ARCHIVED_PER_RUN + 5
    items = [replace(OLD, id=f"{n:04}", importance=0.2 - n / 10_000) for n in range(count)]
    gone = await archived(*items)
    assert len(gone) == count - 5
    assert gone[0] == f"{count - 1:04}"
