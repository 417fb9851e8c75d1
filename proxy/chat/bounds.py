"""The bounds of a recall: its deadline, and how many calls each part gets at a time."""

from __future__ import annotations

import logging
from collections.abc import Mapping

from recollect.filters import Outcome, RequestRecallOptions, Verdict
from recollect.memory.util.breaker import Breaker
from recollect.memory.util.fair_turns import FairTurns
from recollect.memory.util.lru import Lru

from .capacity import Capacity, MachineTooSmallError
from .guard import BUSY, Guard

log = logging.getLogger(__name__)

WAIT = 0.5
"""Share of the deadline that a recall waits for its turn: the rest is enough for one that few run
beside."""
MOST_REWRITES = 8
"""Calls of a model for rewrites at a time, for each client if it is the clients' own model; queries
beyond go on with `terms`."""
MAX_GUARDS = 1000
"""Most guards of parts that improve recalls; a dropped guard starts again from zero."""
LATE = "deadline"
"""The reason of a recall that was cancelled at its deadline."""


class Bounds:
    """The bounds of all recalls of this process."""

    def __init__(self, options: RequestRecallOptions) -> None:
        self._options = options
        self.recall = Guard(
            Breaker(), options.max_concurrent, wait_seconds=lambda: WAIT * self.deadline_seconds
        )
        """The guard of the recall itself: filters' calls to other parts go through it."""
        self.turns = FairTurns()
        """Requests begin to be prepared one after the other: with many at once, in turns."""
        self._parts: Lru[str, Guard] = Lru(MAX_GUARDS)
        self._capacity = Capacity()

    @property
    def deadline_seconds(self) -> float:
        """The deadline of a recall."""
        return self._options.deadline_ms / 1000

    @property
    def counted(self) -> Mapping[str, int]:
        """For `/readyz`: the bounds in force, and recalls since the start by their end."""
        options = self._options
        bounds = {"deadline_ms": options.deadline_ms, "at_a_time": options.max_concurrent}
        return {**bounds, **self._capacity.counted}

    def of(self, part: str, *, name: str = "the rewrite") -> Guard:
        """The guard of a part that improvements call; it is separate from the recall's guard."""
        guard = self._parts.get(part)
        if guard is None:
            guard = Guard(Breaker(), MOST_REWRITES, name=name)
            self._parts.put(part, guard)
        return guard

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
