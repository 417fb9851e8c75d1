"""Messages among processes on several machines: told to all in one order, or asked and answered.

Messages are not stored: a process that does not listen hears nothing of them. Each process is known
by a name of its own while it lives; who is there is in the database.
"""

from __future__ import annotations

import asyncio
import json
import logging
import uuid
from collections.abc import Callable, Mapping
from typing import Any

from ..database.sharing import SqlPresence
from ..model.errors import RecollectError, StateError
from ..util.loops import guarded
from ..util.mesh import Handler
from ..util.tasks import Tasks
from .bus import Bus

log = logging.getLogger(__name__)

VERSION = 1
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
    """One process' connection to all others. For one event loop."""

    def __init__(self, bus: Bus, presence: SqlPresence) -> None:
        self.name = uuid.uuid4().hex
        self.begins: list[Callable[[], None]] = []
        """Called whenever messages can be heard: earlier ones were missed."""
        self.gaps: list[Callable[[], None]] = []
        """Called when messages may have been missed that would have been heard."""
        self._bus = bus
        self._presence = presence
        self._handlers: dict[str, Handler] = {}
        self._asked: dict[str, asyncio.Queue[tuple[str, Mapping[str, Any]]]] = {}
        self._answering = Tasks()

    def on(self, topic: str, handler: Handler) -> None:
        """Act on messages about this topic; what is returned is the answer, as JSON."""
        self._handlers[topic] = handler

    async def tell(self, topic: str, **values: Any) -> None:
        """Tell all that listen, this process included: all hear it in one order.

        Raises StateError: it may not have been told.
        """
        await self._send(_ALL, topic=topic, values=values)

    async def ask_all(self, topic: str, **values: Any) -> dict[str, Any]:
        """The answers of the others by their names.

        Without those that fail, and those that do not answer in time. Raises StateError.
        """
        others = await self._presence.there(GONE_SECONDS) - {self.name}
        found = await self._collect(others, topic, values)
        return {name: told["answer"] for name, told in found.items() if "answer" in told}

    async def listen(self) -> None:
        """Hear the others until cancelled; `gaps` are called whenever it begins again."""
        wait, again = FIRST_WAIT_SECONDS, False
        here = Tasks()
        here.start(self._stay(), name="replica")
        try:
            while True:
                try:
                    listener = await self._bus.listen(_ALL, _to(self.name))
                except StateError as error:
                    log.warning("cannot hear other replicas, retry in %.1f s: %s", wait, error)
                    await asyncio.sleep(wait)
                    wait, again = min(2 * wait, LONGEST_WAIT_SECONDS), True
                    continue
                wait = FIRST_WAIT_SECONDS
                try:
                    for told in (*self.begins, *(self.gaps if again else ())):
                        told()
                    while True:
                        if (text := await listener.receive(SILENCE_SECONDS)) is not None:
                            await self._hear(text)
                except StateError as error:
                    log.warning("messages of other replicas may have been missed: %s", error)
                    again = True
                finally:
                    await listener.close()
        finally:
            await here.drain(0)
            await self._answering.drain(0)

    async def _stay(self) -> None:
        while True:
            await guarded(lambda: self._presence.say(self.name, GONE_SECONDS))
            await asyncio.sleep(HERE_SECONDS)

    async def _send(self, channel: str, **said: Any) -> None:
        message = {"v": VERSION, "from": self.name, **said}
        await self._bus.publish(channel, json.dumps(message))

    async def _collect(
        self, expected: set[str], topic: str, values: Mapping[str, Any]
    ) -> dict[str, Mapping[str, Any]]:
        answers: dict[str, Mapping[str, Any]] = {}
        if not expected:
            return answers
        question = uuid.uuid4().hex
        coming = self._asked[question] = asyncio.Queue()
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await self._send(_ALL, topic=topic, values=values, question=question)
                while not expected <= answers.keys():
                    name, told = await coming.get()
                    answers[name] = told
        except TimeoutError:
            log.info("%s: not every replica answered in time", topic)
        finally:
            del self._asked[question]
        return answers

    async def _hear(self, text: str) -> None:
        try:
            said = json.loads(text)
            if said["v"] != VERSION:
                log.warning("ignored a message of version %r", said["v"])
                return
            await self._act(said)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            log.warning("ignored a malformed message of a replica: %r", error)

    async def _act(self, said: Mapping[str, Any]) -> None:
        sender, question = str(said["from"]), said.get("question")
        if "told" in said:
            if (coming := self._asked.get(str(question))) is not None:
                coming.put_nowait((sender, dict(said["told"])))
            return
        handler, values = self._handlers.get(said["topic"]), dict(said["values"])
        if question is None:
            if handler is not None:
                await handler(values)  # in the order in which they come
        elif sender != self.name:
            answering = self._answer(handler, values, sender, str(question))
            self._answering.start(answering, name="answer to a replica")

    async def _answer(
        self, handler: Handler | None, values: Mapping[str, Any], sender: str, question: str
    ) -> None:
        told: dict[str, Any]
        try:
            told = {"answer": None if handler is None else await handler(values)}
        except RecollectError as error:
            told = {"failed": str(error)}
        await guarded(lambda: self._send(_to(sender), question=question, told=told))


def _to(name: str) -> str:
    return f"{_ALL}:{name}"
