"""Counts that take a read of every memory: made now and then, and shown until the next time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from recollect.memory.engine.doubtful_counts import DoubtfulCounts
from recollect.memory.model.errors import RecollectError
from recollect.memory.util.tasks import Tasks

from . import names
from .exposition import MetricFamily

LEAST_SECONDS = 60.0
ROWS_A_SECOND = 1000
"""After so many rows, a second passes before they are counted again: a million take some seconds
each quarter of an hour."""
PATIENCE_SECONDS = 1.0
"""A scrape waits so long for a count; a longer one is in a later scrape."""


class SlowCounts:
    """What waits for a judgement. Asking again and again counts no more often."""

    def __init__(
        self,
        count: Callable[[], Awaitable[DoubtfulCounts]],
        tasks: Tasks,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._count = count
        self._tasks = tasks
        self._clock = clock
        self._due = clock()
        self._running: asyncio.Task[None] | None = None
        self._found: DoubtfulCounts | None = None

    async def families(self) -> list[MetricFamily]:
        """The newest counts; without values before the first, and after one that failed."""
        if self._running is None and self._clock() >= self._due:
            self._running = self._tasks.start(self._refresh(), name="counts for metrics")
        if self._running is not None:
            await asyncio.wait({self._running}, timeout=PATIENCE_SECONDS)
        found = self._found
        return [
            MetricFamily(names.QUARANTINED, {} if found is None else {(): found.quarantined}),
            MetricFamily(names.LEFT_OUT, {} if found is None else {(): found.left_out}),
            MetricFamily(names.CONFLICTS, {} if found is None else {(): found.conflicts}),
        ]

    async def _refresh(self) -> None:
        try:
            self._found = await self._count()
        except RecollectError:  # /readyz tells of a store that does not answer
            self._found = None
        finally:
            rows = 0 if self._found is None else self._found.rows
            self._due = self._clock() + max(LEAST_SECONDS, rows / ROWS_A_SECOND)
            self._running = None


async def nothing() -> list[MetricFamily]:
    """For a process that leaves the counting to another."""
    return []
