"""What is concluded ends with its evidence, and comes back with it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from recollect.memory.learn.apply import Applier
from recollect.memory.learn.records import Batch
from recollect.memory.model.types import EventKind, MemoryStatus
from recollect.memory.upkeep.cascade import DerivedUpkeep
from tests.memory.forget.parts import ALICE, EMBEDDER, NOON, Parts, stored
from tests.memory.learn.doubles import a_decision
from tests.support.following import followed

from .made import aside, derived, ended, fact, said

ACTIVE, ARCHIVED = MemoryStatus.ACTIVE, MemoryStatus.ARCHIVED
SUPERSEDED, QUARANTINED = MemoryStatus.SUPERSEDED, MemoryStatus.QUARANTINED


class World:
    """All parts, with what follows their writes."""

    def __init__(self, *, warm=None, inner=None):
        self.parts = Parts.indexed()
        store = followed(inner or self.parts.store)
        self.parts.store = store
        self.forgetter = self.parts.forgetter()
        self.pauses = []

        async def pause(seconds):
            self.pauses.append(seconds)

        self.derived_upkeep = DerivedUpkeep(
            self.parts.all(), self.forgetter, warm=warm, clock=lambda: NOON, pause=pause
        )
        store.writer.followers.append(self.derived_upkeep)

    async def put(self, *items):
        await stored(self.parts.store, *items)
        await self.derived_upkeep.settled()

    async def decide(self, event, item, text=None, *, name="j"):
        """What learning does."""
        later = NOON + timedelta(minutes=5)
        applier = Applier(self.parts.store, self.parts.all().writer, EMBEDDER, lambda: later)
        one = a_decision(
            event, item.id, text or item.text, old_text=item.text, stage="ask", reason="a model"
        )
        guard = await self.forgetter.guard(ALICE)
        await applier.apply([one], Batch(id=name, scope=ALICE, at=NOON), guard)
        await self.derived_upkeep.settled()

    async def statuses(self):
        items = await self.parts.store.list(ALICE, limit=None, statuses=frozenset(MemoryStatus))
        return {i.id: i.status for i in items if i.provenance.superseded_by is None}


TEA, CAT = fact("a", "likes tea"), fact("b", "has a cat")
INSIGHT = derived("d", "a", "b")


async def world_with_insight(**options):
    world = World(**options)
    await world.parts.history.append([said(i.id, i.text) for i in (TEA, CAT, INSIGHT)])
    await world.put(TEA, CAT, INSIGHT)
    assert set((await world.statuses()).values()) == {ACTIVE}
    return world


class TestConclusions:
    @pytest.mark.parametrize("by_index", [False, True])
    async def test_ends_with_a_fact_and_comes_back_with_it(self, by_index):
        """Nobody looks after it but the write itself."""

        async def warm(scope):
            return [INSIGHT] if by_index and scope == ALICE else None

        world = await world_with_insight(warm=warm)
        await world.decide(EventKind.DELETE, TEA)
        assert await world.statuses() == {"a": SUPERSEDED, "b": ACTIVE, "d": SUPERSEDED}
        [gone] = await world.parts.store.get("local", ["d"])
        assert gone.provenance.ended == "falls: what it stands on does not hold"
        await world.decide(EventKind.RESTORE, TEA, name="k")
        assert await world.statuses() == {"a": ACTIVE, "b": ACTIVE, "d": ACTIVE}

    @pytest.mark.parametrize("status", [QUARANTINED, SUPERSEDED])
    async def test_ends_if_a_fact_is_doubted_or_ended_by_a_person(self, status):
        """Whoever writes the row, by whatever way."""
        world = await world_with_insight()
        await world.put(replace(TEA, status=status, version=2))
        assert (await world.statuses())["d"] is SUPERSEDED

    async def test_stays_if_a_fact_is_merged_and_falls_with_what_it_was_merged_into(self):
        """The other one says the same."""
        world = await world_with_insight()
        other = fact("c", "likes tea a lot")
        merged = ended(TEA, "duplicate: says the same as another")
        await world.put(
            other, replace(merged, provenance=replace(merged.provenance, superseded_by="c"))
        )
        assert (await world.statuses())["d"] is ACTIVE
        await world.put(ended(other, "person: not so"))
        assert (await world.statuses())["d"] is SUPERSEDED

    async def test_what_a_person_ended_stays_so(self):
        """Evidence that comes back is no reason against a person's word."""
        world = World()
        await world.put(replace(TEA, status=SUPERSEDED), CAT, ended(INSIGHT, "person: not so"))
        await world.put(replace(TEA, version=3))
        assert (await world.statuses())["d"] is SUPERSEDED

    async def test_what_stands_on_a_conclusion_that_fell_falls_too(self):
        """One step after the other."""
        world = await world_with_insight()
        await world.put(derived("f", "d", "b", text="User lives alone"))
        await world.decide(EventKind.DELETE, TEA)
        assert (await world.statuses())["f"] is SUPERSEDED


class TestSummaries:
    @pytest.mark.parametrize("whole", [False, True])
    async def test_forgetting_it_brings_nothing_back(self, whole):
        """What it stands for is erased with it, and so is everything with everything."""
        world = World()
        await world.put(
            derived("sum", "a", "b"), aside("a", "tea", "sum"), aside("b", "cat", "sum")
        )
        if whole:
            await world.forgetter.forget_scope(ALICE)
        else:
            await world.forgetter.forget_ids(ALICE, ["sum"])
        await world.derived_upkeep.settled()
        assert await world.statuses() == {}


class TestFailures:
    async def test_what_a_crash_left_is_found_by_a_look_at_all(self):
        """A process died between a write and the look: upkeep of the scope makes it good."""
        world = World()
        plain = world.parts.store._inner
        await stored(
            plain,
            ended(TEA, "ask: gone"),
            CAT,
            INSIGHT,
            aside("x", "jazz", "lost"),
            aside("y", "rock", "kept"),
            derived("kept", "y", "b"),
            aside("z", "folk", "hand"),
            ended(derived("hand", "z", "b"), "person: not so"),
            ended(derived("back", "b", "y"), "falls: what it stands on does not hold"),
        )
        await world.derived_upkeep.look(ALICE)
        await world.derived_upkeep.settled()
        assert await world.statuses() == {
            "a": SUPERSEDED, "b": ACTIVE, "d": SUPERSEDED, "x": ACTIVE, "y": ARCHIVED,
            "kept": ACTIVE, "z": ARCHIVED, "hand": SUPERSEDED, "back": ACTIVE,
        }  # fmt: skip
        assert await world.derived_upkeep.look(ALICE) == []
