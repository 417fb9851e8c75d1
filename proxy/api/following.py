"""Answers that take time: a flush that learns now, and changes of memories as they are made."""

from __future__ import annotations

import asyncio
import logging
import weakref
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing
from typing import Any, NotRequired, Protocol

from aiohttp import web
from typing_extensions import TypedDict

from recollect.memory.engine.engine import FlushProgress
from recollect.memory.model.errors import RecollectError, advice_about

from .answers import EVENT_STREAM, LINES, Framed, event, line
from .sending import Load, Outlet

log = logging.getLogger(__name__)

QUIET_SECONDS = 15.0
"""After so long without a change a line says that the stream lives: proxies close idle ones."""
_ALIVE = {EVENT_STREAM: b": alive\n\n", LINES: b"\n"}
_PROGRESS, _END = "progress", "end"


class FlushDict(TypedDict):
    """How far a flush is."""

    jobs: dict[str, int]
    """Runs that ended, by outcome."""
    events: dict[str, int]
    """What was decided about facts."""
    waiting: dict[str, int]
    """Jobs of the scope that are not done, by what they wait for."""
    seconds: float
    done: bool
    """Whether nothing of the scope waits any more, at the end of the flush."""
    advice: NotRequired[dict[str, str]]
    """What to do about a reason word of `waiting`."""


class Flushing:
    """A flush that has begun; `answer` waits for it."""

    load = Load.FOLLOWED.value

    def __init__(self, progress: AsyncIterator[FlushProgress], *, stream: bool) -> None:
        self._progress = progress
        self._stream = stream

    async def answer(self, outlet: Outlet) -> web.StreamResponse | FlushDict:
        """The last report; or all of them as they come, if `stream` or the client's Accept asks.

        Raises StateError before an answer has begun.
        """
        accepted = outlet.request.headers.get("Accept", "")
        if EVENT_STREAM in accepted:
            return await self._send(outlet, EVENT_STREAM, event)
        if self._stream or LINES in accepted:
            return await self._send(outlet, LINES, line)
        said = [report async for report in self._reports()]
        return flush_dict(said[-1])

    async def _reports(self) -> AsyncIterator[FlushProgress]:
        # A client that leaves ends the reports; the jobs run on.
        async with aclosing(self._progress) as progress:  # type: ignore[type-var]
            async for each in progress:
                yield each

    async def _send(self, outlet: Outlet, content_type: str, framed: Framed) -> web.StreamResponse:
        reports = self._reports()
        first = await anext(reports)
        await outlet.begin(content_type)
        await outlet.write(framed(flush_dict(first), _END if first.last else _PROGRESS))
        try:
            async for report in reports:
                await outlet.write(framed(flush_dict(report), _END if report.last else _PROGRESS))
        except RecollectError as error:
            log.warning("a flush failed: %s: %s", error.code, error)
            await outlet.write(framed({"error": error.code, "done": False}, _END))
        return await outlet.end()


def flush_dict(progress: FlushProgress) -> FlushDict:
    """A report as JSON values."""
    runs = progress.runs
    said = FlushDict(
        jobs=dict(Counter(run.outcome.value for run in runs)),
        events=dict(Counter(event.value for run in runs for event in run.events)),
        waiting=progress.waiting,
        seconds=round(progress.seconds, 1),
        done=progress.done,
    )
    if advice := {word: told for word in progress.waiting if (told := advice_about(word))}:
        said["advice"] = advice
    return said


class Followed(Protocol):
    """What is followed: a subscription, or what is read like one."""

    async def __anext__(self) -> Mapping[str, Any]:
        """The next one; may be cancelled. Raises StopAsyncIteration at the end."""

    def close(self) -> None:
        """End it."""


class Followers:
    """The streams that are open, so that a server that stops can end them."""

    def __init__(self) -> None:
        self._open: weakref.WeakSet[Followed] = weakref.WeakSet()

    def follow(self, changes: Followed, *, name: str = "") -> Following:
        """A stream of these; `name` is that of their events, if they do not have one each."""
        self._open.add(changes)
        return Following(changes, name)

    def close(self) -> None:
        """End all of them."""
        for changes in list(self._open):
            changes.close()


class Following:
    """A stream of changes that has begun; `answer` sends it."""

    load = Load.FOLLOWED.value

    def __init__(self, changes: Followed, name: str = "") -> None:
        self._changes = changes
        self._name = name

    async def answer(self, outlet: Outlet) -> web.StreamResponse:
        """Server-sent events, or lines of JSON if the client's Accept asks for them."""
        lines = LINES in outlet.request.headers.get("Accept", "")
        kind, framed = (LINES, line) if lines else (EVENT_STREAM, event)
        try:
            await outlet.begin(kind)
            await outlet.write(_ALIVE[kind])
            while True:
                try:
                    async with asyncio.timeout(QUIET_SECONDS):
                        change = await anext(self._changes)
                except TimeoutError:
                    await outlet.write(_ALIVE[kind])
                except StopAsyncIteration:
                    return await outlet.end()
                else:
                    await outlet.write(framed(change, self._name or change["event"]))
        finally:
            self._changes.close()
