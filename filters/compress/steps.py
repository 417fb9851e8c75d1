"""Keeps what steps of old turns say, and the extracts of them, in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from recollect.memory.model.types import Scope
from recollect.memory.util.fair_thread_pool import FairThreadPool
from recollect.memory.util.lru import Lru

from ..turn_cache import concerns
from .digest import chosen
from .parts import Count, OldPiece, OldStep, OldTurn, key_of, step_of

MAX_STEPS = 16_384
MAX_BYTES = 64_000_000
"""Of all steps together."""
MAX_EXTRACTS = 16_384
INLINE_CHARS = 2_000
"""Turns with so many characters are read on the loop, in some milliseconds; more in a thread."""
THREADS = 1


class StepsKey(NamedTuple):
    """Steps of a scope by what they say; two scopes share nothing, even if they say the same."""

    scope: Scope
    keys: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class ReadSteps:
    """The texts of steps, and the extract of each group of them."""

    steps: Sequence[OldStep]
    extracts: Sequence[Sequence[OldPiece]]


class KeptSteps:
    """Steps and extracts by what they are made of: every process makes the same of the same."""

    def __init__(self, count: Count, *, budget: int) -> None:
        """An extract of a group has `budget` tokens at most, as `count` counts them.

        `count` is called from a thread too.
        """
        self._count = count
        self._budget = budget
        self._steps: Lru[StepsKey, OldStep] = Lru(
            MAX_STEPS, max_size=MAX_BYTES, size=lambda step: step.size
        )
        self._extracts: Lru[StepsKey, Sequence[OldPiece]] = Lru(MAX_EXTRACTS)
        self._bulk = FairThreadPool(THREADS, name="compress")

    async def read(
        self, scope: Scope, turns: Sequence[Sequence[OldTurn]], groups: Sequence[range]
    ) -> ReadSteps:
        """What each step of turns says. Who stops waiting finds it kept the next time."""
        work = _Work(scope, turns, groups)
        work.steps = {name: kept for name in work.named if (kept := self._steps.get(name))}
        for name in work.grouped:
            if (extract := self._extracts.get(name)) is not None:
                work.extracts[name] = extract
        chars = work.chars_to_read()
        if chars is None:
            return work.done()
        if chars <= INLINE_CHARS:
            work.do(self._budget, self._count)
            self._keep(work)
            return work.done()
        loop = asyncio.get_running_loop()

        def do() -> ReadSteps:
            work.do(self._budget, self._count)
            loop.call_soon_threadsafe(self._keep, work)
            return work.done()

        return await self._bulk.run(scope, do)

    def forget(self, owner_ref: Scope | str, memory_id: str | None = None) -> None:
        """Drop all of a scope or a tenant, whichever of its memories is gone."""
        del memory_id
        self._steps.drop(lambda key: concerns(owner_ref, key.scope))
        self._extracts.drop(lambda key: concerns(owner_ref, key.scope))

    def clear(self) -> None:
        """Drop everything."""
        self._steps.drop(lambda _: True)
        self._extracts.drop(lambda _: True)

    def _keep(self, work: _Work) -> None:
        for name, step in work.steps.items():
            self._steps.put(name, step)
        for name, extract in work.extracts.items():
            self._extracts.put(name, extract)


class _Work:
    """The work that one request needs of steps; `do` may run in a thread."""

    def __init__(
        self, scope: Scope, turns: Sequence[Sequence[OldTurn]], groups: Sequence[range]
    ) -> None:
        keys = [key_of(step) for step in turns]
        self.named = [StepsKey(scope, (key,)) for key in keys]
        self.grouped = [StepsKey(scope, tuple(keys[each.start : each.stop])) for each in groups]
        self.steps: dict[StepsKey, OldStep] = {}
        self.extracts: dict[StepsKey, Sequence[OldPiece]] = {}
        self._turns = dict(zip(self.named, turns, strict=True))
        self._groups = [self.named[each.start : each.stop] for each in groups]

    def chars_to_read(self) -> int | None:
        """Characters of the turns that nobody read yet; None if there is nothing to do."""
        if len(self.extracts) == len({*self.grouped}) and len(self.steps) == len(self._turns):
            return None
        groups = zip(self.grouped, self._groups, strict=True)
        missing = {each for name, group in groups if name not in self.extracts for each in group}
        new = missing | self._turns.keys() - self.steps.keys()
        return sum(
            len(turn.said) + len(turn.answered) for name in new for turn in self._turns[name]
        )

    def do(self, budget: int, count: Count) -> None:
        """Read and choose what is missing."""
        for name, turns in self._turns.items():
            if name not in self.steps:
                self.steps[name] = step_of(turns, count)
        for name, group in zip(self.grouped, self._groups, strict=True):
            if name not in self.extracts:
                self.extracts[name] = chosen([self.steps[each] for each in group], budget, count)

    def done(self) -> ReadSteps:
        """All of it, once it is done."""
        return ReadSteps(
            [self.steps[name] for name in self.named],
            [self.extracts[name] for name in self.grouped],
        )
