"""Announces what was forgotten, so that other processes drop their cached copies.

Messages are not stored: a process that does not listen misses them. A listener therefore reports
every gap, after which everything cached is dropped. Messages carry scopes and ids, no texts.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable

from ...model.errors import RecollectError, StateError
from ...model.types import OwnerRef, Scope
from ..whose import named
from .keys import Keys
from .wire import Wire

log = logging.getLogger(__name__)

VERSION = 1
SILENCE_SECONDS = 15.0
"""A listener that received nothing for this long pings the server."""
FIRST_WAIT_SECONDS = 0.1
LONGEST_WAIT_SECONDS = 10.0


class Announcements:
    """Sends announcements to every listening process, the sender included."""

    def __init__(self, wire: Wire, keys: Keys) -> None:
        self._wire = wire
        self._channel = keys.forgotten

    async def publish(self, whose: OwnerRef, memory_id: str | None = None) -> None:
        """Announce that one memory of `whose`, or all of them, was forgotten. Raises StateError.

        A message may arrive twice if the server's answer is lost.
        """
        await self._wire.publish(self._channel, write_message(whose, memory_id))

    async def listen(
        self, on_forgotten: Callable[[OwnerRef, str | None], None], on_gap: Callable[[], None]
    ) -> None:
        """Pass on announcements until cancelled.

        `on_gap` is called when the connection is back after it was lost or could not be made:
        messages may have been missed.
        """
        wait, gap = FIRST_WAIT_SECONDS, False
        while True:
            try:
                listener = await self._wire.listen(self._channel)
            except StateError as error:
                log.warning("cannot listen to announcements, retry in %.1f s: %s", wait, error)
                gap = True
                await asyncio.sleep(wait)
                wait = min(2 * wait, LONGEST_WAIT_SECONDS)
                continue
            wait = FIRST_WAIT_SECONDS
            try:
                if gap:
                    on_gap()
                while True:
                    text = await listener.receive(SILENCE_SECONDS)
                    if text is not None and (said := read_message(text)) is not None:
                        on_forgotten(*said)
            except StateError as error:
                log.warning("announcements may have been missed: %s", error)
                gap = True
            finally:
                await listener.close()


def write_message(whose: OwnerRef, memory_id: str | None) -> str:
    """The JSON text of an announcement."""
    return json.dumps({"v": VERSION, "whose": named(whose), "memory_id": memory_id})


def read_message(text: str) -> tuple[OwnerRef, str | None] | None:
    """The content of an announcement; None, with a log line, if it is malformed."""
    try:
        message = json.loads(text)
        if message["v"] != VERSION:
            log.warning("ignored an announcement of version %r", message["v"])
            return None
        return _whose(message["whose"]), _memory_id(message["memory_id"])
    except (ValueError, TypeError, KeyError, RecursionError, RecollectError) as error:
        log.warning("ignored a malformed announcement: %r", error)
        return None


def _whose(fields: dict[str, str]) -> OwnerRef:
    tenant = fields["tenant"]
    if not isinstance(tenant, str):
        raise TypeError("tenant is not text")
    return Scope(**fields) if len(fields) > 1 else tenant


def _memory_id(value: object) -> str | None:
    if value is not None and not isinstance(value, str):
        raise TypeError("memory_id is not text")
    return value
