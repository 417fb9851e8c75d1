"""Answers to questions, from memories: whole, or told while the model writes them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, cast

from aiohttp import web

from recollect.memory import RecollectError
from recollect.memory.api.results import AnswerDict
from recollect.memory.util.tasks import Tasks

from .answers import EVENT_STREAM, MODEL_FAILURES, event, failed, told_failure
from .operations import Operation
from .request import ApiRequest
from .sending import Load, Outlet

QUIET_SECONDS = 15.0
"""After so long without text a line says that the answer is still sought."""
_ALIVE = b": alive\n\n"
_TEXT, _ANSWER, _ERROR = "text", "answer", "error"


def answered(operation: Operation) -> Operation:
    """The operation; if it can be told while it is made, with what tells it."""
    if operation.told_live is None:
        return operation
    return replace(operation, handler=partial(_answer, operation))


async def _answer(operation: Operation, request: ApiRequest) -> Any:
    async def ask(on_text: Callable[[str], None]) -> AnswerDict:
        return cast(
            "AnswerDict", await operation.handler(request, **{str(operation.told_live): on_text})
        )

    if request.values["stream"] or EVENT_STREAM in request.http.headers.get("Accept", ""):
        return AnswerStream(ask, str(operation.model_failure))
    return await operation.handler(request)


class AnswerStream:
    """An answer that is told while the model writes it."""

    load = Load.FOLLOWED.value

    def __init__(self, ask: Any, failure: str) -> None:
        """`ask` is a function of whom to tell the text, which returns the answer.

        `failure` is what a failure of the model is told with.
        """
        self._ask = ask
        self._failure = failure

    async def answer(self, outlet: Outlet) -> web.StreamResponse:
        """Events as they come. What fails before the first of them is an ordinary failure.

        A client that leaves ends the call of the model.
        """
        told: asyncio.Queue[str | None] = asyncio.Queue()
        tasks = Tasks()
        work = tasks.start(self._asked(told), name="an answer from memories")
        try:
            return await self._send(outlet, told, work)
        finally:
            await tasks.drain(0)

    async def _asked(self, told: asyncio.Queue[str | None]) -> AnswerDict | RecollectError:
        """The answer, or why there is none; the end of the text is told either way."""
        try:
            found: AnswerDict = await self._ask(told.put_nowait)
        except RecollectError as error:
            return error
        else:
            return found
        finally:
            told.put_nowait(None)

    async def _send(
        self, outlet: Outlet, told: asyncio.Queue[str | None], work: asyncio.Task[Any]
    ) -> web.StreamResponse:
        while (text := await self._next(outlet, told)) is not None:
            if outlet.response is None:
                await outlet.begin(EVENT_STREAM)
            await outlet.write(event({"text": text}, _TEXT))
        found = await work
        if isinstance(found, RecollectError):
            if outlet.response is None:
                if isinstance(found, MODEL_FAILURES):
                    return failed(found, self._failure)
                raise found
            await outlet.write(event({"detail": self._said(found)}, _ERROR))
            return await outlet.end()
        if outlet.response is None:
            await outlet.begin(EVENT_STREAM)
        await outlet.write(event(found, _ANSWER))
        return await outlet.end()

    async def _next(self, outlet: Outlet, told: asyncio.Queue[str | None]) -> str | None:
        while True:
            try:
                async with asyncio.timeout(QUIET_SECONDS):
                    return await told.get()
            except TimeoutError:
                # Nothing fails in silence: from now on an error is an event.
                if outlet.response is None:
                    await outlet.begin(EVENT_STREAM)
                await outlet.write(_ALIVE)

    def _said(self, error: RecollectError) -> str:
        if isinstance(error, MODEL_FAILURES):
            return told_failure(error, self._failure)
        return f"{error.code}: memory is not available at the moment"
