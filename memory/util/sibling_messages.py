"""Siblings talk to each other: a message, and an answer when it was acted on.

Each listens on a socket in the folder of their parent. Whoever is not there hears nothing, and
remembers nothing either. Whoever is late hears later, in the same order: a message that was sent is
read, also if its sender has stopped waiting.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from ..model.errors import RecollectError, StateError
from .siblings import Sibling

log = logging.getLogger(__name__)

ANSWER_SECONDS = 2.0
"""Longest wait for one sibling's answer."""
MOST_BYTES = 2**22
"""Of one message."""

Handler = Callable[[Mapping[str, Any]], Awaitable[Any]]
"""Acts on the values of a message; what it returns is the answer, as JSON."""


class SiblingFailedError(StateError):
    """A sibling did not do what it was told, or did not answer in time."""

    code = "worker_silent"


class SiblingMessages:
    """One sibling's connections to all others, and theirs to it. For one event loop."""

    def __init__(self, sibling: Sibling) -> None:
        self.sibling = sibling
        self.up = asyncio.Event()
        """Whether the others are heard."""
        self._hearing: set[asyncio.Task[None]] = set()
        """The connections of others, each with the task that hears it."""
        self._handlers: dict[str, Handler] = {}
        self._lines = {number: _Line(_socket(sibling, number)) for number in sibling.others}

    def on(self, topic: str, handler: Handler) -> None:
        """Answer messages about this topic with `handler`. Its RecollectErrors are told."""
        self._handlers[topic] = handler

    async def tell(self, topic: str, **values: Any) -> None:
        """Tell all others; returns when each has acted on it.

        Raises SiblingFailedError if one could not, or has not in time; the others were told.
        """
        told = (self._ask(number, topic, values) for number in self._lines)
        answers = await asyncio.gather(*told, return_exceptions=True)
        for answer in answers:
            if isinstance(answer, BaseException):
                raise answer

    async def ask(self, number: int, topic: str, **values: Any) -> Any:
        """Ask one of them. Raises SiblingFailedError, also if it does not run."""
        answer = await self._ask(number, topic, values)
        if answer is None:
            raise SiblingFailedError(f"worker {number + 1} does not run at the moment")
        return answer["answer"]

    async def listen(self) -> None:
        """Hear the others until cancelled."""
        path = _socket(self.sibling, self.sibling.number)
        path.unlink(missing_ok=True)  # of a process that died
        server = await asyncio.start_unix_server(self._hear, path, limit=MOST_BYTES)
        self.up.set()
        try:
            await server.serve_forever()
        finally:
            for task in list(self._hearing):
                task.cancel()
            if self._hearing:
                await asyncio.wait(self._hearing)
            self.close()

    def close(self) -> None:
        """Hang up; the next message connects anew."""
        for line in self._lines.values():
            line.close()

    async def _ask(self, number: int, topic: str, values: Mapping[str, Any]) -> Any:
        """The answer; None if it does not run."""
        answer = await self._lines[number].exchange({"topic": topic, **values})
        if answer is not None and (failed := answer.get("failed")):
            raise SiblingFailedError(f"worker {number + 1}: {failed}")
        return answer

    async def _hear(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 - the server has started it
        self._hearing.add(task)
        try:
            while line := await reader.readline():
                writer.write(json.dumps(await self._answer(line)).encode() + b"\n")
                await writer.drain()
        except (OSError, ValueError, asyncio.CancelledError):
            pass  # it left, a line was too long, or this process ends
        finally:
            self._hearing.discard(task)
            writer.close()

    async def _answer(self, line: bytes) -> dict[str, Any]:
        values = json.loads(line)
        handler = self._handlers.get(values.pop("topic"))
        if handler is None:  # nothing is kept yet that it could be about
            return {"answer": None}
        try:
            return {"answer": await handler(values)}
        except RecollectError as error:
            return {"failed": str(error)}


class _Line:
    """A connection to one sibling, made when it is needed. One exchange at a time."""

    def __init__(self, path: Any) -> None:
        self._path = path
        self._turn = asyncio.Lock()
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def exchange(self, message: Mapping[str, Any]) -> Any:
        """The answer to a message; None if nobody is there. Raises SiblingFailedError."""
        async with self._turn:
            try:
                async with asyncio.timeout(ANSWER_SECONDS):
                    return await self._exchange(json.dumps(message).encode() + b"\n")
            except TimeoutError:
                self.close()
                raise SiblingFailedError("a worker does not answer in time") from None
            except asyncio.CancelledError:
                self.close()  # its answer would be taken for the next one's
                raise

    async def _exchange(self, line: bytes) -> Any:
        for _ in range(2):
            known = self._streams is not None
            try:
                reader, writer = await self._connected()
                writer.write(line)
                await writer.drain()
                if answer := await reader.readline():
                    return json.loads(answer)
            except OSError:
                pass
            self.close()
            if not known:
                return None
        return None  # the one that was known has died, and the new one with it

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams is None:
            self._streams = await asyncio.open_unix_connection(self._path, limit=MOST_BYTES)
        return self._streams

    def close(self) -> None:
        """Hang up; the next exchange connects anew."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


def _socket(sibling: Sibling, number: int) -> Any:
    return sibling.folder / f"worker-{number}.sock"
