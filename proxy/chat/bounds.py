"""The bounds of a recall: its deadline, and how many calls each part gets at a time."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping

from recollect.filters import Outcome, RequestRecallOptions, Verdict
from recollect.memory.util.breaker import Breaker
from recollect.memory.util.lru import Lru

from .admission import Admission, CallTiming
from .capacity import Capacity, MachineTooSmallError
from .deadline import AutoDeadline
from .guard import BUSY, Guard

log = logging.getLogger(__name__)

RECALLS_PER_CORE = 8
MOST_RECALLS = 32
"""Recalls at a time if `recall.max_concurrent` is not set. The maximum exists because the local
embedder has one thread; how many end in time is measured."""
MAX_GUARDS = 1000
"""Most guards of parts that improve recalls; a dropped guard starts again from zero."""
LATE = "deadline"
"""The reason of a recall that was cancelled at its deadline."""


class Bounds:
    """The bounds of all recalls of this process."""

    def __init__(self, options: RequestRecallOptions) -> None:
        self._options = options
        self._auto = AutoDeadline()
        self._fixed = None if options.deadline_ms == "auto" else options.deadline_ms / 1000
        by_cores = min(MOST_RECALLS, RECALLS_PER_CORE * (os.cpu_count() or 1))
        self._admission = Admission(options.max_concurrent or by_cores)
        self.recall = Guard(
            self._breaker(),
            self._admission,
            seconds=lambda: self.deadline_seconds,
            heard=self._heard,
        )
        """The guard of the recall itself: filters' calls to other parts go through it."""
        self._parts: Lru[str, Guard] = Lru(MAX_GUARDS)
        self._capacity = Capacity()

    @property
    def deadline_seconds(self) -> float:
        """The deadline in force: the configured number, or what this machine can do."""
        return self._auto.seconds if self._fixed is None else self._fixed

    @property
    def counted(self) -> Mapping[str, int]:
        """For `/readyz`: the bounds in force, and recalls since the start by their end."""
        bounds = {
            "deadline_ms": round(self.deadline_seconds * 1000),
            "at_a_time": self._admission.bound,
        }
        return {**bounds, **self._capacity.counted}

    def of(self, part: str) -> Guard:
        """The guard of a part that improvements call; it is separate from the recall's guard."""
        guard = self._parts.get(part)
        if guard is None:
            rewrite = self._options.rewrite
            guard = Guard(
                self._breaker(),
                Admission(rewrite.max_concurrent),
                seconds=lambda: rewrite.deadline_ms / 1000,
                name="the rewrite",
            )
            self._parts.put(part, guard)
        return guard

    def start(self, alone: float) -> None:
        """Begin with the number of recalls that fits the time of one alone (seconds)."""
        self._admission.start(alone, self.deadline_seconds)

    def count(self, verdict: Verdict) -> None:
        """Count how a recall ended; warns if the machine is too small."""
        if verdict == BUSY:
            self._capacity.busy()
        elif verdict.reason == LATE:
            self._capacity.late()
        elif verdict.outcome in {Outcome.INJECTED, Outcome.EMPTY}:
            self._capacity.kept()
        if (lost := self._capacity.warning()) is not None:
            log.warning(
                "this machine is too small: %d of the last %d recalls were late or refused. %s",
                *lost,
                MachineTooSmallError.advice,
            )

    async def ping(self) -> None:
        """For `/readyz`.

        Raises:
            CircuitOpenError: recalls are refused, because they failed.
            MachineTooSmallError: too many recalls were late or refused for a while.
        """
        await self.recall.ping()
        if self._capacity.is_short:
            raise MachineTooSmallError("many recalls are late or refused")

    def _heard(self, took: CallTiming, late: bool) -> None:
        self._auto.note(took.seconds, took.together, late=late)

    def _breaker(self) -> Breaker:
        options = self._options
        return Breaker(failures=options.breaker_failures, seconds=options.breaker_seconds)
