"""Counts what tenants' chats take and give, and writes it down by day now and then."""

from __future__ import annotations

import logging
import uuid
from collections import Counter
from collections.abc import Callable
from datetime import date, datetime
from typing import NamedTuple

from ..database.daily_sums import SqlDailySums
from ..jobs.learning import OnRun
from ..jobs.runs import Run
from ..model.daily_sums import PAYER, Amounts, Summed
from ..model.errors import StateError
from ..model.types import EventKind, utc_now

log = logging.getLogger(__name__)

FLUSH_SECONDS = 5.0
"""Interval between two writes: a process that is killed loses what it counted since the last."""
MOST_HELD = 10_000
"""Tenants and days that are held between two writes, or while the state does not answer."""
_WRITES = frozenset({EventKind.ADD, EventKind.UPDATE, EventKind.QUARANTINE})
"""What learning does to write a memory."""


class _Batch(NamedTuple):
    """What was counted of one tenant and day."""

    tenant: str
    day: date
    amounts: Amounts
    name: str


class DailyMeter:
    """Counting takes no task and no write. Several processes add to the same sums."""

    def __init__(self, sums: SqlDailySums, *, clock: Callable[[], datetime] = utc_now) -> None:
        self._sums = sums
        self._clock = clock
        self._held: dict[tuple[str, date], Counter[Summed]] = {}
        self._waiting: list[_Batch] = []

    def count(self, tenant: str, amounts: Amounts) -> None:
        """Add to a tenant's sums of today (UTC)."""
        key = (tenant, self._clock().date())
        held = self._held.get(key)
        if held is None:
            if len(self._held) + len(self._waiting) >= MOST_HELD:
                return
            held = self._held[key] = Counter()
        held.update(amounts)

    def embedded(self, texts: int) -> None:
        """An embedder was asked for so many texts, for whom the running task works."""
        payer = PAYER.get(None)
        if payer is None:
            return
        if payer.proven:
            self.embedded_for(payer.tenant, texts)
        else:
            payer.texts += texts

    def embedded_for(self, tenant: str, texts: int) -> None:
        """The same for a tenant that is known otherwise: one call may be for several."""
        self.count(tenant, {Summed.EMBEDDED_TEXTS: texts})

    def noting(self, on_run: OnRun) -> OnRun:
        """The same `on_run`; what the runs wrote is counted before."""

        def note(run: Run, started: int) -> None:
            if written := sum(event in _WRITES for event in run.events):
                self.count(run.job.scope.tenant, {Summed.LEARNED: written})
            on_run(run, started)

        return note

    async def flush(self) -> None:
        """Write down what was counted. After an error the rest waits for the next call.

        Raises StateError.
        """
        held, self._held = self._held, {}
        self._waiting += [_Batch(*key, amounts, uuid.uuid4().hex) for key, amounts in held.items()]
        while self._waiting:
            # Taken out first: a write that is cancelled while it is made may be complete.
            batch = self._waiting.pop()
            try:
                await self._sums.add(batch.tenant, batch.day, batch.amounts, batch=batch.name)
            except StateError:
                self._waiting.append(batch)
                raise
