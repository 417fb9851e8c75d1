"""Any sequence of edits, invalidations, reverts and restores: nothing is lost, and the history tells it."""

import asyncio
from dataclasses import dataclass, field

from hypothesis import example, given, settings
from hypothesis import strategies as st

from recollect.memory.api.changes import Amendment
from recollect.memory.learn.apply import Applier
from recollect.memory.learn.records import Batch
from recollect.memory.model.endings import PERSON
from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.jobs import JobKind
from recollect.memory.model.types import (
    Decision,
    EventKind,
    HistoryRecord,
    MemoryItem,
    MemoryStatus,
)
from recollect.memory.model.upkeep import RunChange, UpkeepRun
from recollect.memory.upkeep.undo import batch_of, undoing, versions_of
from tests.memory.api.changing_world import World
from tests.memory.learn.doubles import ALICE, NOON

EVERY = frozenset(MemoryStatus)
UPDATE, DELETE, ARCHIVE = EventKind.UPDATE, EventKind.DELETE, EventKind.ARCHIVE
steps = st.lists(
    st.one_of(
        st.tuples(st.just("edit"), st.sampled_from(["tea", "coffee", "milk", "water"])),
        st.tuples(st.just("refile"), st.integers(0, 3)),
        st.tuples(st.just("invalidate"), st.none()),
        st.tuples(st.just("revert"), st.none() | st.integers(1, 6)),
        st.tuples(st.just("restore"), st.none()),
        st.tuples(st.just("upkeep"), st.sampled_from([UPDATE, DELETE, ARCHIVE])),
        st.tuples(st.just("undo"), st.none()),
    ),
    max_size=9,
)


@dataclass
class Told:
    """What a memory said, by version, as each call answered."""

    said: dict[int, tuple[str, int]] = field(default_factory=dict)

    def note(self, item: MemoryItem) -> None:
        self.said[item.version] = (item.text, item.metadata.get("n", 0))


class Upkept(World):
    """A world in which upkeep changes the memory too, and takes its last run back."""

    def __init__(self):
        super().__init__()
        self.runs = []
        self.number = 0

    async def applied(self, decisions, name):
        applier = Applier(self.store, self.forgetter._writer, self.embedder)
        batch = Batch(id=name, scope=ALICE, at=self.clock())
        await applier.apply(decisions, batch, await self.forgetter.guard(ALICE))
        return await self.get()

    async def upkeep(self, item, event):
        if item.status is not MemoryStatus.ACTIVE:
            return item
        text = "tidied" if event is UPDATE else item.text
        self.number += 1
        name = f"run {self.number}"
        done = await self.applied([Decision(
            event=event, memory_id=item.id, text=text, old_text=item.text, type=item.type,
            stage="consolidate", reason="it is tidy",
        )], name)  # fmt: skip
        change = RunChange(item.id, event, done.version)
        self.runs.append(UpkeepRun(
            id=name, scope=ALICE, kind=JobKind.CONSOLIDATE, at=NOON, reason="call",
            changes=(change,),
        ))  # fmt: skip
        return done

    async def undo(self, item):
        if not self.runs:
            return item
        run = self.runs.pop()
        rows = await self.store.get("local", [item.id, *versions_of(run)])
        back = undoing(run, {row.id: row for row in rows})
        return await self.applied(back.decisions, batch_of(run)) if back.decisions else item


async def step(world: Upkept, item: MemoryItem, what: str, value: object) -> MemoryItem:
    """Do one step; what is refused changes nothing."""
    try:
        match what:
            case "edit":
                return await world.changes().amend(item, Amendment(text=str(value)))
            case "refile":
                return await world.changes().amend(item, Amendment(metadata={"n": value}))
            case "upkeep":
                return await world.upkeep(item, value)
            case "undo":
                return await world.undo(item)
            case "revert":
                return await world.curation().revert(item, value)
            case _:
                return await getattr(world.curation(), what)(item)
    except InvalidInputError:
        return item


def replayed(records: list[HistoryRecord], text: str) -> tuple[str, MemoryStatus]:
    """What the history says that a memory says now."""
    status = before = MemoryStatus.ACTIVE
    for record in records:
        match record.event:
            case EventKind.UPDATE:
                assert record.old_value == text
                text = str(record.new_value)
                status = MemoryStatus.ACTIVE if record.stage == PERSON else status
            case EventKind.DELETE:
                before, status = status, MemoryStatus.SUPERSEDED
            case EventKind.ARCHIVE:
                status = MemoryStatus.ARCHIVED
            case EventKind.RESTORE:
                ended = status is MemoryStatus.SUPERSEDED
                status = before if ended else MemoryStatus.ACTIVE
    return text, status


async def walked(taken: list[tuple[str, object]]) -> None:
    world = Upkept()
    item, told = await world.keep(), Told()
    told.note(item)
    for what, value in taken:
        item = await step(world, item, what, value)
        told.note(item)
    kept = await world.get()
    assert kept == item
    records = await world.history.of("local", "m")
    assert replayed(records, "tea") == (kept.text, kept.status)
    rows = await world.store.list(ALICE, limit=None, statuses=EVERY)
    assert {each.provenance.superseded_by for each in rows if each.id != "m"} <= {"m"}
    there = {(each.text, each.metadata.get("n", 0)) for each in rows}
    assert set(told.said.values()) <= there
    for number in {each.version for each in rows if each.id != "m"}:
        back = await world.curation().revert(kept, number)
        assert (back.text, back.metadata.get("n", 0)) == told.said[number]
        assert back.status is MemoryStatus.ACTIVE
        kept = back


@settings(max_examples=200, deadline=None)
@given(steps)
@example([("upkeep", UPDATE), ("undo", None), ("invalidate", None), ("revert", None)])
@example([("upkeep", ARCHIVE), ("revert", None), ("undo", None), ("edit", "milk"), ("revert", 1)])
@example([("upkeep", ARCHIVE), ("invalidate", None), ("revert", None)])
@example([("upkeep", ARCHIVE), ("invalidate", None), ("restore", None), ("restore", None)])
@example([("edit", "milk"), ("upkeep", DELETE), ("undo", None), ("revert", 1), ("revert", None)])
def test_nothing_is_lost_and_the_history_tells_what_is_stored(taken):
    """Every text and filing is a version to return to, and the last one is what the history says."""
    asyncio.run(walked(taken))


async def test_an_undone_run_makes_no_memory_look_newer():
    """A text, an end and the archive that are taken back leave the times as they were."""
    world = Upkept()
    item = await world.keep()
    for event in (UPDATE, DELETE, ARCHIVE):
        back = await world.undo(await world.upkeep(await world.get(), event))
        assert (back.text, back.status) == ("tea", MemoryStatus.ACTIVE)
        assert (back.updated_at, back.valid_from) == (item.updated_at, item.valid_from)
