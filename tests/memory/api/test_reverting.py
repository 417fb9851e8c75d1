"""Any sequence of edits, invalidations, reverts and restores: nothing is lost, and the history tells it."""

import asyncio
from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.memory.api.changes import Amendment
from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.types import EventKind, HistoryRecord, MemoryItem, MemoryStatus
from tests.memory.api.changing_world import World
from tests.memory.learn.doubles import ALICE

EVERY = frozenset(MemoryStatus)
steps = st.lists(
    st.one_of(
        st.tuples(st.just("edit"), st.sampled_from(["tea", "coffee", "milk", "water"])),
        st.tuples(st.just("refile"), st.integers(0, 3)),
        st.tuples(st.just("invalidate"), st.none()),
        st.tuples(st.just("revert"), st.none() | st.integers(1, 6)),
        st.tuples(st.just("restore"), st.none()),
    ),
    max_size=9,
)


@dataclass
class Told:
    """What a memory said, by version, as each call answered."""

    said: dict[int, tuple[str, int]] = field(default_factory=dict)

    def note(self, item: MemoryItem) -> None:
        self.said[item.version] = (item.text, item.metadata.get("n", 0))


async def step(world: World, item: MemoryItem, what: str, value: object) -> MemoryItem:
    """Do one step; what is refused changes nothing."""
    try:
        match what:
            case "edit":
                return await world.changes().amend(item, Amendment(text=str(value)))
            case "refile":
                return await world.changes().amend(item, Amendment(metadata={"n": value}))
            case "revert":
                return await world.curation().revert(item, value)
            case _:
                return await getattr(world.curation(), what)(item)
    except InvalidInputError:
        return item


def replayed(records: list[HistoryRecord], text: str) -> tuple[str, MemoryStatus]:
    """What the history says that a memory says now."""
    status = MemoryStatus.ACTIVE
    for record in records:
        match record.event:
            case EventKind.UPDATE:
                assert record.old_value == text
                text = str(record.new_value)
            case EventKind.DELETE:
                status = MemoryStatus.SUPERSEDED
            case EventKind.RESTORE:
                status = MemoryStatus.ACTIVE
    return text, status


async def walked(taken: list[tuple[str, object]]) -> None:
    world = World()
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


@settings(max_examples=120, deadline=None)
@given(steps)
def test_nothing_is_lost_and_the_history_tells_what_is_stored(taken):
    """Every text and filing is a version to return to, and the last one is what the history says."""
    asyncio.run(walked(taken))
