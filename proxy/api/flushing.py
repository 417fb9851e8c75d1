"""`POST /v1/memories/flush`: learn now, and say how far it is, in one answer or line by line."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import NotRequired, TypedDict

from aiohttp import web

from recollect.memory.engine.engine import FlushProgress
from recollect.memory.model.errors import RecollectError, advice_about

from .outlet import Outlet
from .sending import Load
from .streams import EVENT_STREAM, LINES, Framed, event, line

log = logging.getLogger(__name__)

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
