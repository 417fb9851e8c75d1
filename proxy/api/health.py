"""Is the process alive, and does it accept requests? Neither depends on a backend."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime

from aiohttp import web

from recollect.memory.errors import RecollectError
from recollect.memory.ports import JobQueue
from recollect.memory.types import utc_now

log = logging.getLogger(__name__)

PING_SECONDS = 2.0
"""Longest a part may take to answer before it counts as degraded."""

SKEW_SECONDS = 60
"""A job may be so much younger than nothing: clocks of several processes differ."""
LATE_SECONDS = 3600
"""A job that waits longer means that learning does not keep up, or that nobody learns."""

Ping = Callable[[], Awaitable[object]]


class Health:
    """`/healthz` and `/readyz`."""

    def __init__(
        self,
        pings: Mapping[str, Ping],
        queue: JobQueue | None = None,
        *,
        counted: Callable[[], Mapping[str, int]] = dict,
        loop: Callable[[], Mapping[str, int]] = dict,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        """Of `queue` is told how much waits there, and since when; `counted` are other numbers.

        `loop` says how often the event loop stood still.
        """
        self._pings = pings
        self._queue = queue
        self._counted = counted
        self._loop = loop
        self._clock = clock

    async def live(self, _request: web.Request) -> web.Response:
        """The event loop turns."""
        return web.json_response({"status": "ok"})

    async def ready(self, _request: web.Request) -> web.Response:
        """Requests are accepted; says which parts are degraded, and stays 200: chats still work.

        A pod that is taken out of service because its memory is down would make an outage of
        memory an outage of everything.
        """
        names = list(self._pings)
        found = await asyncio.gather(*(_state(self._pings[name]) for name in names))
        parts = {name: state for name, (state, _) in zip(names, found, strict=True)}
        advice = {name: told for name, (_, told) in zip(names, found, strict=True) if told}
        queue = await self._jobs()
        if queue.get("oldest_seconds", 0) > LATE_SECONDS:
            parts["learning"] = "late"
        if queue.get("oldest_seconds", 0) < -SKEW_SECONDS:
            parts["learning"] = "clock_went_back"
        degraded = any(state != "ok" for state in parts.values())
        said = {"status": "degraded" if degraded else "ok", "parts": parts}
        said |= {"advice": advice} if advice else {}
        counts = {"jobs": queue, "loop": dict(self._loop())}
        return web.json_response(said | {name: count for name, count in counts.items() if count})

    async def _jobs(self) -> dict[str, int]:
        """Jobs by state and the age of the oldest that is not done, if anybody knows."""
        if self._queue is None:
            return {}
        # What was lost is told above all while the queue does not answer.
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


async def _state(ping: Ping) -> tuple[str, str]:
    """In one word how a part is, and what to do about it."""
    try:
        async with asyncio.timeout(PING_SECONDS):
            await ping()
    except TimeoutError:
        return "no answer", ""
    except RecollectError as error:
        log.info("a part is degraded: %s", error)
        return error.code, error.advice
    return "ok", ""
