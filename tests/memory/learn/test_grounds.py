from dataclasses import replace
from datetime import timedelta

import pytest

from recollect.memory.embedders import FakeEmbedder
from recollect.memory.learn.apply import Applier
from recollect.memory.learn.grounds import BACK
from recollect.memory.learn.records import Batch
from recollect.memory.model.types import Decision, EventKind, MemoryStatus, MemoryType
from recollect.memory.state.local_locks import LocalLocks
from tests.support.learning import forgetter_of
from tests.support.memories import InMemoryMemories
from tests.support.state import InMemoryHistory, InMemoryTombstones

from .doubles import ALICE, NOON, a_decision

TEXTS = {"a": "User plays the violin", "b": "User plays the violin on Mondays"}


def archive(name, **changes):
    made = a_decision(EventKind.ARCHIVE, name, TEXTS[name], old_text=TEXTS[name], cites=("s",))
    return replace(made, **changes)


SUMMARY = a_decision(
    EventKind.ADD,
    "s",
    "User plays the violin. User plays on Mondays.",
    cites=("a", "b"),
    at=NOON - timedelta(days=1),
)
PLAN = [archive("a"), archive("b"), SUMMARY]


class World:
    """A store with two memories, and an applier that condenses them."""

    def __init__(self) -> None:
        self.embedder = FakeEmbedder()
        self.store = InMemoryMemories(dim=self.embedder.dim)
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


async def test_a_source_that_says_something_else_now_is_not_condensed(world):
    """Somebody edited one source after the plan was made."""
    edit = a_decision(EventKind.UPDATE, "b", "User plays the cello", old_text=TEXTS["b"])
    await world.apply([edit], name="edit")
    await world.apply(PLAN)
    left = await world.statuses()
    assert (left["a"], left["b"], "s" in left) == ("active", "active", False)
