"""Telling other processes what was forgotten, so that they drop what they hold in memory.

Nothing is kept: who does not listen at that moment misses it. So a listener is told of every gap
and then drops everything. The channel carries scopes and ids, no texts.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable

from ...errors import RecollectError, StateError
from ...types import Scope, Whose
from ..whose import named
from .keys import Keys
from .wire import Wire

log = logging.getLogger(__name__)

VERSION = 1
SILENCE_SECONDS = 15.0
"""How long a listener hears nothing before it asks whether the server is still there."""
FIRST_WAIT_SECONDS = 0.1
LONGEST_WAIT_SECONDS = 10.0


class Announcements:
    """What was forgotten, said to every process that listens; to the one that says it, too."""

    def __init__(self, wire: Wire, keys: Keys) -> None:
        self._wire = wire
        self._channel = keys.forgotten

    async def publish(self, whose: Whose, memory_id: str | None = None) -> None:
        """Say that one memory of these, or all of them, was forgotten. Raises StateError.

        May arrive twice if an answer is lost.
        """
        await self._wire.publish(self._channel, write_message(whose, memory_id))

    async def listen(
        self,
        on_forgotten: Callable[[Whose, str | None], None],
        on_gap: Callable[[], None],
    ) -> None:
        """Pass on what is said, until cancelled.

        `on_gap` is called when it listens again after the connection was lost or could not be
        made: anything may have been said meanwhile.
        """
        wait, gap = FIRST_WAIT_SECONDS, False
        while True:
            try:
                listener = await self._wire.listen(self._channel)
            except StateError as error:
                log.warning("cannot listen to what others forget, again in %.1f s: %s", wait, error)
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
                log.warning("what others forget may have been missed: %s", error)
                gap = True
            finally:
                await listener.close()


def write_message(whose: Whose, memory_id: str | None) -> str:
    """The message that says it."""
    return json.dumps({"v": VERSION, "whose": named(whose), "memory_id": memory_id})


def read_message(text: str) -> tuple[Whose, str | None] | None:
    """What a message says; None, with a line in the log, if it is not one of ours."""
    try:
        message = json.loads(text)
        if message["v"] != VERSION:
            log.warning("ignored a message of version %r on what was forgotten", message["v"])
            return None
        return _whose(message["whose"]), _memory_id(message["memory_id"])
    except (ValueError, TypeError, KeyError, RecursionError, RecollectError) as error:
        log.warning("ignored a message on what was forgotten that is none: %r", error)
        return None


def _whose(fields: dict[str, str]) -> Whose:
    tenant = fields["tenant"]
    if not isinstance(tenant, str):
        raise TypeError("tenant is no text")
    return Scope(**fields) if len(fields) > 1 else tenant


def _memory_id(value: object) -> str | None:
    if value is not None and not isinstance(value, str):
        raise TypeError("memory_id is no text")
    return value
