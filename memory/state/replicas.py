"""Processes on several machines wake each other: there is something new in the log of changes.

What is said is not stored, and nobody needs to hear it. Each process is known by a name of its own
while it lives; who is there is in the database.
"""

from __future__ import annotations

import asyncio
import json
import logging
import uuid
from collections.abc import Mapping
from typing import Any

from ..database.sharing import SqlPresence
from ..model.errors import StateError
from ..util.loops import guarded
from ..util.tasks import Tasks
from .bus import Bus
from .shared_log import Read

log = logging.getLogger(__name__)

VERSION = 2
"""Of the messages."""
ANSWER_SECONDS = 2.0
"""Longest wait for the answers of the others."""
HERE_SECONDS = 5.0
"""A process says so often that it is there."""
GONE_SECONDS = 15.0
"""One that has not said so for so long is not waited for."""
SILENCE_SECONDS = 15.0
"""A listener that received nothing for this long pings the server."""
FIRST_WAIT_SECONDS, LONGEST_WAIT_SECONDS = 0.1, 10.0
_ALL = "replicas"
"""The channel of messages to all; with a name after it, to one of them."""


class BusReplicas:
    """One process' connection to all others, the `OtherReaders` of a log. For one event loop."""

    def __init__(self, bus: Bus, presence: SqlPresence) -> None:
        self.name = uuid.uuid4().hex
        self._bus = bus
        self._presence = presence
        self._read: Read = _nothing
        self._asked: dict[str, asyncio.Queue[str]] = {}
        self._answering = Tasks()

    def on_wake(self, read: Read) -> None:
        self._read = read

    def count(self) -> None:
        """The database counts."""

    def counted(self) -> None:
        return None

    async def wake(self) -> None:
        try:
            await self._send(_ALL)
        except StateError as error:
            log.warning("other replicas are not woken, and look by themselves: %s", error)

    async def wait(self) -> None:
        coming: asyncio.Queue[str] = asyncio.Queue()
        question = uuid.uuid4().hex
        self._asked[question] = coming
        try:
            others = await self._presence.there(GONE_SECONDS) - {self.name}
            async with asyncio.timeout(ANSWER_SECONDS):
                if others:
                    await self._send(_ALL, question=question)
                while others:
                    others.discard(await coming.get())
        except TimeoutError:
            log.info("not every replica answered in time")
        except StateError as error:
            log.warning("other replicas are not woken, and look by themselves: %s", error)
        finally:
            del self._asked[question]

    async def listen(self) -> None:
        """Hear the others until cancelled. What was missed before is read whenever it begins."""
        wait = FIRST_WAIT_SECONDS
        tasks = Tasks()
        tasks.start(self._stay(), name="replica")
        try:
            while True:
                try:
                    listener = await self._bus.listen(_ALL, _to(self.name))
                except StateError as error:
                    log.warning("cannot hear other replicas, retry in %.1f s: %s", wait, error)
                    await asyncio.sleep(wait)
                    wait = min(2 * wait, LONGEST_WAIT_SECONDS)
                    continue
                wait = FIRST_WAIT_SECONDS
                try:
                    self._answering.start(guarded(self._read), name="what was missed")
                    while True:
                        if (text := await listener.receive(SILENCE_SECONDS)) is not None:
                            self._hear(text)
                except StateError as error:
                    log.warning("the word of other replicas may be missed: %s", error)
                finally:
                    await listener.close()
        finally:
            await tasks.drain(0)
            await self._answering.drain(0)

    async def _stay(self) -> None:
        while True:
            await guarded(lambda: self._presence.say(self.name, GONE_SECONDS))
            await asyncio.sleep(HERE_SECONDS)

    async def _send(self, channel: str, **said: str) -> None:
        message = {"v": VERSION, "from": self.name, **said}
        await self._bus.publish(channel, json.dumps(message))

    def _hear(self, text: str) -> None:
        try:
            said = json.loads(text)
            if said["v"] != VERSION:
                log.warning("ignored a message of version %r", said["v"])
                return
            self._act(said)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            log.warning("ignored a malformed message of a replica: %r", error)

    def _act(self, said: Mapping[str, Any]) -> None:
        sender, question = str(said["from"]), str(said.get("question", ""))
        if said.get("read"):
            if (coming := self._asked.get(question)) is not None:
                coming.put_nowait(sender)
        elif sender != self.name:
            self._answering.start(
                guarded(lambda: self._answer(sender, question)), name="what is new"
            )

    async def _answer(self, sender: str, question: str) -> None:
        await self._read()
        if question:
            await self._send(_to(sender), question=question, read="yes")


async def _nothing() -> None:
    """Nobody reads."""


def _to(name: str) -> str:
    return f"{_ALL}:{name}"
