"""Reflection with real parts around a scripted model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

from recollect.memory.forget import Forgetter
from recollect.memory.jobs.upkeep import upkeep_job
from recollect.memory.learn.apply import Applier
from recollect.memory.learn.records import Batch
from recollect.memory.model.jobs import JobKind
from recollect.memory.model.types import MemoryItem, MemoryStatus, MemoryType, Scope
from recollect.memory.upkeep import Work
from recollect.memory.upkeep.cascade import DerivedUpkeep
from recollect.memory.upkeep.reflect.step import ReflectStep
from tests.memory.forget.parts import ALICE, NOON, Parts, stored
from tests.memory.learn.doubles import Says
from tests.memory.upkeep.made import fact
from tests.support.following import followed

LATER = NOON + timedelta(days=1)
QUESTIONS = "What does the user like to do in the mountains?"
NOTES = {
    "a": "User climbs mountains every summer with a rope team",
    "b": "User planned the mountains trip around the summer holidays",
    "c": "User bought new boots for the mountains",
}
INSIGHT = "User spends the summer holidays in the mountains"


def answer(text: str, *numbers: Any) -> str:
    """What a model answers."""
    import json

    return json.dumps({"insight": text, "notes": list(numbers)})


class World:
    """One store, what follows its writes, and the step."""

    def __init__(self, *, redact: Callable[[str], str] = str) -> None:
        self.parts = Parts.indexed()
        store = followed(self.parts.store)
        self.parts.store = store
        self.forgetter: Forgetter = self.parts.forgetter()
        opened = self.parts.all()
        self.derived_upkeep = DerivedUpkeep(opened, self.forgetter, clock=lambda: NOON)
        store.writer.followers.append(self.derived_upkeep)
        self.step = ReflectStep(opened, redact=redact)
        self.job = upkeep_job(JobKind.REFLECT, ALICE, "1", reason="call")
        self.applier = Applier(store, opened.writer, opened.embedder, clock=lambda: NOON)

    async def put(self, *items: MemoryItem) -> None:
        await stored(self.parts.store, *items)
        await self.derived_upkeep.settled()

    async def notes(self, **fields: Any) -> None:
        """What the user said."""
        await self.put(*(fact(name, text, **fields) for name, text in NOTES.items()))

    async def plan(self, *lines: Any, job: Any = None) -> Any:
        """What a run would do, with a model that answers these lines; without any, none."""
        model = Says(*lines) if lines else None
        self.model = model
        job = job or self.job
        guard = await self.forgetter.guard(ALICE)
        return await self.step.plan(Work(job, ALICE, model, guard))

    async def apply(self, plan: Any, *, job: Any = None, at: Any = NOON) -> Any:
        """Carry a plan out."""
        job = job or self.job
        guard = await self.forgetter.guard(ALICE)
        batch = Batch(id=job.id, scope=ALICE, at=at)
        applied = await self.applier.apply(plan.decisions, batch, guard)
        await self.derived_upkeep.settled()
        return applied

    async def insights(self, scope: Scope = ALICE) -> list[MemoryItem]:
        """All conclusions of a scope, of any status."""
        every = frozenset(MemoryStatus)
        items = await self.parts.store.list(scope, limit=None, statuses=every)
        return [item for item in items if item.type is MemoryType.REFLECTIVE]


def later(item: MemoryItem) -> MemoryItem:
    """The memory, recorded after everything else."""
    return replace(item, provenance=replace(item.provenance, recorded_at=LATER))


__all__ = ["ALICE", "INSIGHT", "LATER", "NOON", "NOTES", "QUESTIONS", "World", "answer", "later"]
