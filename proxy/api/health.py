"""Liveness and readiness of the process; neither depends on a backend."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple

from aiohttp import web

from recollect.memory.database import SqlJobs
from recollect.memory.model.errors import RecollectError, SaidOnlyError, UpkeepRestsError
from recollect.memory.model.types import utc_now
from recollect.memory.util.registry import Ping

log = logging.getLogger(__name__)

PING_SECONDS = 2.0
"""A part that takes longer to answer counts as degraded."""

SKEW_SECONDS = 60
"""A job may be this far in the future: clocks of several processes differ."""
LATE_SECONDS = 3600
"""If a job waits longer, learning does not keep up or does not run."""

FINE = frozenset({"ok", SaidOnlyError.code, UpkeepRestsError.code})
"""States of a part that does all that it is asked to do."""
DEAD_ADVICE = (
    "{} dead: `recollect jobs list --state dead` says why, `recollect jobs retry --all` "
    "tries them again"
)

Count = Callable[[], Mapping[str, int]]


class Health:
    """`/healthz` and `/readyz`."""

    def __init__(
        self,
        pings: Mapping[str, Ping],
        queue: SqlJobs | None = None,
        *,
        counted: Count = dict,
        counts: Mapping[str, Count] = MappingProxyType({}),
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """`queue` is reported with its number of jobs and the oldest one's age.

        `counted` is told with them, `counts` beside them, by name.
        """
        self._pings = pings
        self._queue = queue
        self._counted = counted
        self._counts = counts
        self._clock = clock
        self._told: frozenset[str] = frozenset()

    async def live(self, _request: web.Request) -> web.Response:
        """Answers 200 as long as the event loop runs."""
        return web.json_response({"status": "ok"})

    async def ready(self, _request: web.Request) -> web.Response:
        """Always answers 200, with the state of each part: chats work without memory.

        If a failed part took the pod out of service, an outage of memory would become an outage of
        chats.
        """
        names = list(self._pings)
        found = await asyncio.gather(*(_state(self._pings[name]) for name in names))
        parts = {name: each.word for name, each in zip(names, found, strict=True)}
        advice = {name: each.advice for name, each in zip(names, found, strict=True) if each.advice}
        self._tell(frozenset(each.error for each in found if each.word not in FINE))
        queue = await self.jobs()
        if queue.get("dead", 0):
            advice["jobs"] = DEAD_ADVICE.format(queue["dead"])
        if queue.get("oldest_seconds", 0) > LATE_SECONDS and parts.get("learning", "ok") == "ok":
            parts["learning"] = "late"
        if queue.get("oldest_seconds", 0) < -SKEW_SECONDS:
            parts["learning"] = "clock_went_back"
        degraded = any(state not in FINE for state in parts.values())
        said = {"status": "degraded" if degraded else "ok", "parts": parts}
        said |= {"advice": advice} if advice else {}
        counts = {"jobs": queue} | {name: dict(count()) for name, count in self._counts.items()}
        return web.json_response(said | {name: count for name, count in counts.items() if count})

    def _tell(self, errors: frozenset[str]) -> None:
        """Log what was not so the last time: this is asked every few seconds, by several."""
        for error in sorted(errors - self._told):
            log.info("a part is degraded: %s", error)
        self._told = errors

    async def jobs(self) -> dict[str, int]:
        """Jobs by state and the age of the oldest unfinished one, if the queue answers."""
        if self._queue is None:
            return {}
        # Read first: the counts of losses matter most while the queue does not answer.
        counted = dict(self._counted())
        try:
            async with asyncio.timeout(PING_SECONDS):
                counts = dict(await self._queue.counts())
                oldest = await self._queue.oldest()
        except (TimeoutError, RecollectError):
            return counted
        if oldest is not None:
            counts["oldest_seconds"] = int((self._clock() - oldest).total_seconds())
        return counts | counted


class _Found(NamedTuple):
    """A part's state in one word, advice about it, and the whole error."""

    word: str
    advice: str = ""
    error: str = ""


async def _state(ping: Ping) -> _Found:
    try:
        async with asyncio.timeout(PING_SECONDS):
            await ping()
    except TimeoutError:
        return _Found("no answer")
    except RecollectError as error:
        return _Found(error.code, error.advice, str(error))
    return _Found("ok")
