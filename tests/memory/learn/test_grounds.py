from dataclasses import replace
from datetime import timedelta

import pytest

from recollect.memory.embedders import FakeEmbedder
from recollect.memory.learn.apply import Applier, uses_of
from recollect.memory.learn.grounds import BACK, grounded
from recollect.memory.learn.records import Batch, dump_decisions, load_decisions
from recollect.memory.model.types import Decision, EventKind, MemoryStatus, MemoryType
from recollect.memory.state.local_locks import LocalLocks
from recollect.memory.stores.inmemory import InMemoryStore
from tests.support.learning import forgetter_of
from tests.support.state import InMemoryHistory, InMemoryTombstones

from .doubles import ALICE, NOON

TEXTS = {"a": "User plays the violin", "b": "User plays the violin on Mondays"}


def archive(name, **changes):
    made = Decision(
        event=EventKind.ARCHIVE,
        memory_id=name,
        text=TEXTS[name],
        old_text=TEXTS[name],
        type=MemoryType.SEMANTIC,
        cites=("s",),
    )
    return replace(made, **changes)


SUMMARY = Decision(
    event=EventKind.ADD,
    memory_id="s",
    text="User plays the violin. User plays on Mondays.",
    type=MemoryType.SEMANTIC,
    cites=("a", "b"),
    at=NOON - timedelta(days=1),
)
PLAN = [archive("a"), archive("b"), SUMMARY]


class World:
    """A store with two memories, and an applier that condenses them."""

    def __init__(self) -> None:
        self.embedder = FakeEmbedder()
        self.store = InMemoryStore(dim=self.embedder.dim)
        self.history, self.tombstones = InMemoryHistory(), InMemoryTombstones()
        self.forgetter = forgetter_of(
            self.store, self.embedder, self.history, tombstones=self.tombstones
        )

    async def apply(self, decisions, *, name="b1", guard=None, store=None):
        applier = Applier(
            store or self.store, self.embedder, self.history, LocalLocks(), clock=lambda: NOON
        )
        guard = guard or await self.forgetter.guard(ALICE, name)
        return await applier.apply(decisions, Batch(id=name, scope=ALICE, at=NOON), guard)

    async def statuses(self):
        found = await self.store.list(ALICE, limit=None, statuses=frozenset(MemoryStatus))
        return {item.id: item.status.value for item in found}


@pytest.fixture
async def world():
    made = World()
    adds = [
        Decision(event=EventKind.ADD, memory_id=name, text=text, type=MemoryType.SEMANTIC)
        for name, text in TEXTS.items()
    ]
    await made.apply(adds, name="b0")
    return made


def test_what_cites_what_fell_falls_too():
    """A summary falls with one source, and the others are not archived for it."""
    other = replace(archive("a", cites=()), memory_id="z")
    found = grounded([*PLAN, other], {"b"})
    assert found.kept == [other]
    assert {each.memory_id for each in found.fallen} == {"a", "b", "s"}
    assert grounded(PLAN, {"x"}).kept == PLAN


def test_the_time_of_a_decision_is_in_the_checkpoint():
    """What a derived memory says was so before it was derived."""
    assert load_decisions(dump_decisions(PLAN)) == PLAN


async def test_a_summary_takes_the_place_of_its_sources(world):
    """It is as old as what it says, and cites it."""
    await world.apply(PLAN)
    assert await world.statuses() == {"a": "archived", "b": "archived", "s": "active"}
    [item] = await world.store.get("local", ["s"])
    assert (item.valid_from, item.updated_at) == (SUMMARY.at, SUMMARY.at)
    assert item.provenance.cites == ("a", "b")


async def test_a_source_that_was_forgotten_before_leaves_everything_as_it_is(world):
    """Between the plan and the write somebody forgets one source: nothing of the topic is done."""
    guard = await world.forgetter.guard(ALICE, "b1")
    await world.forgetter.forget_ids("local", ["b"])
    await world.apply(PLAN, guard=guard)
    assert await world.statuses() == {"a": "active"}
    assert await world.history.of("local", "s") == []


async def test_a_source_that_is_forgotten_meanwhile_takes_the_summary_along(world):
    """The mark comes between look and write; a retry brings back what the summary had replaced."""

    class Forgets:
        def __getattr__(self, name):
            return getattr(world.store, name)

        async def put(self, memories):
            await world.tombstones.add("local", ["b"])
            await world.store.put(memories)

    applied = await world.apply(PLAN, store=Forgets())
    assert applied.taken_back
    assert await world.statuses() == {"a": "archived"}
    await world.apply(PLAN)
    assert await world.statuses() == {"a": "active"}
    assert await world.history.of("local", "s") == []
    [item] = await world.store.get("local", ["a"])
    assert item.provenance.batch == f"b1{BACK}"
    await world.apply(PLAN)
    assert await world.statuses() == {"a": "active"}


async def test_what_a_crashed_run_wrote_of_a_forgotten_source_is_removed(world):
    """The summary was written, then the process died and somebody forgot a source."""
    await world.apply(PLAN)
    await world.tombstones.add("local", ["a"])
    await world.apply(PLAN)
    assert await world.statuses() == {"b": "active"}


async def test_a_source_that_says_something_else_now_is_not_condensed(world):
    """Somebody edited one source after the plan was made."""
    edit = Decision(
        event=EventKind.UPDATE,
        memory_id="b",
        text="User plays the cello",
        old_text=TEXTS["b"],
        type=MemoryType.SEMANTIC,
    )
    await world.apply([edit], name="edit")
    await world.apply(PLAN)
    left = await world.statuses()
    assert (left["a"], left["b"], "s" in left) == ("active", "active", False)


async def test_a_summary_that_is_written_anew_is_no_correction(world):
    """The user said nothing: it is not worth more for it."""
    await world.apply(PLAN)
    anew = replace(SUMMARY, event=EventKind.UPDATE, old_text=SUMMARY.text, text="User plays.")
    applied = await world.apply([anew], name="b2")
    assert [event.event for event in applied.events] == [EventKind.UPDATE]
    assert not any(uses_of([anew], applied.events).values())


async def test_a_second_run_changes_nothing(world):
    """A crash after the write: the same decisions again are the same rows."""
    await world.apply(PLAN)
    before = await world.store.get("local", ["a", "b", "s"])
    await world.apply(PLAN)
    assert await world.store.get("local", ["a", "b", "s"]) == before
