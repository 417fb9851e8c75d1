"""Is the process alive, and does it accept requests? Neither depends on a backend."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping

from aiohttp import web

from memory.errors import RecollectError

log = logging.getLogger(__name__)

PING_SECONDS = 2.0
"""Longest a part may take to answer before it counts as degraded."""

Ping = Callable[[], Awaitable[object]]


class Health:
    """`/healthz` and `/readyz`."""

    def __init__(self, pings: Mapping[str, Ping], notes: Mapping[str, str]) -> None:
        self._pings = pings
        self._notes = notes

    async def live(self, _request: web.Request) -> web.Response:
        """The event loop turns."""
        return web.json_response({"status": "ok"})

    async def ready(self, _request: web.Request) -> web.Response:
        """Requests are accepted; says which parts are degraded, and stays 200: chats still work.

        A pod that is taken out of service because its memory is down would make an outage of
        memory an outage of everything.
        """
        names = list(self._pings)
        states = await asyncio.gather(*(_state(self._pings[name]) for name in names))
        parts = dict(zip(names, states, strict=True)) | dict(self._notes)
        degraded = any(state != "ok" for state in parts.values())
        return web.json_response({"status": "degraded" if degraded else "ok", "parts": parts})


async def _state(ping: Ping) -> str:
    try:
        async with asyncio.timeout(PING_SECONDS):
            await ping()
    except TimeoutError:
        return "no answer"
    except RecollectError as error:
        log.info("a part is degraded: %s", error)
        return error.code
    return "ok"
