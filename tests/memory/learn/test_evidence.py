from dataclasses import replace
from datetime import timedelta

import pytest

from recollect.memory.forget import Forgetter
from recollect.memory.learn.apply import Applier
from recollect.memory.learn.records import Batch
from recollect.memory.model.types import Decision, EventKind, MemoryStatus, MemoryType
from tests.support.parts import parts_of
from tests.support.unsaid import NothingSaid

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
    """Two memories, and an applier that condenses them."""

    def __init__(self) -> None:
        parts = parts_of()
        self.store, self.history = parts.store, parts.history
        self.forgetter = Forgetter(parts, heard=NothingSaid())
        self.applier = Applier(parts.store, parts.writer, parts.embedder, clock=lambda: NOON)

    async def apply(self, decisions, *, name="b1", guard=None):
        guard = guard or await self.forgetter.guard(ALICE)
        return await self.applier.apply(decisions, Batch(id=name, scope=ALICE, at=NOON), guard)

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
    """It is forgotten between plan and write; what the summary would have replaced stays."""
    guard = await world.forgetter.guard(ALICE)
    await world.forgetter.forget_ids("local", ["b"])
    await world.apply(PLAN, guard=guard)
    assert await world.statuses() == {"a": "active"}
    assert await world.history.of("local", "s") == []


async def test_a_source_that_says_something_else_now_is_not_condensed(world):
    """Somebody edited one source after the plan was made."""
    edit = a_decision(EventKind.UPDATE, "b", "User plays the cello", old_text=TEXTS["b"])
    await world.apply([edit], name="edit")
    await world.apply(PLAN)
    left = await world.statuses()
    assert (left["a"], left["b"], "s" in left) == ("active", "active", False)
