"""Answers to questions, from memories: whole, or told while the model writes them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from aiohttp import web

from recollect.memory import ConfigError, ExtractionError, ModelError, RecollectError
from recollect.memory.api.results import AnswerDict
from recollect.memory.model.errors import ModelTimeoutError
from recollect.memory.util.tasks import Tasks

from . import models
from .answers import EVENT_STREAM, detail, event
from .models import which_of
from .operations import PREFIX, endpoint, operations_of
from .request import ApiRequest
from .sending import Load, Outlet

QUIET_SECONDS = 15.0
"""After so long without text a line says that the answer is still sought."""
_ALIVE = b": alive\n\n"
_TEXT, _ANSWER, _ERROR = "text", "answer", "error"
_FAILURES = (ModelError, ExtractionError, ConfigError)


class AnswerApi:
    """The handler of questions."""

    @endpoint(
        "POST",
        f"{PREFIX}/answer",
        AnswerDict,
        body=models.QuestionBody,
        streamed_as=(EVENT_STREAM,),
    )
    async def answer(self, request: ApiRequest) -> Any:
        """Answer a question from memories, with those it follows from."""
        values = request.values

        async def ask(on_text: Callable[[str], None] | None) -> AnswerDict:
            return await request.memory.answer(
                values["question"],
                **request.ids,
                **values.only("limit", "threshold", "grounded", "hearsay"),
                conversation=values["conversation"] or (),
                on_text=on_text,
                **which_of(values),
            )

        if values["stream"] or EVENT_STREAM in request.http.headers.get("Accept", ""):
            return AnswerStream(ask)
        try:
            return await ask(None)
        except _FAILURES as error:
            return _failed(error)


class AnswerStream:
    """An answer that is told while the model writes it."""

    load = Load.FOLLOWED.value

    def __init__(self, ask: Any) -> None:
        """`ask` is a function of whom to tell the text, which returns the answer."""
        self._ask = ask

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
                if isinstance(found, _FAILURES):
                    return _failed(found)
                raise found
            await outlet.write(event({"detail": _said(found)}, _ERROR))
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


def _failed(error: ModelError | ExtractionError | ConfigError) -> web.Response:
    """503 with the cause and the setting; 504 if it took too long."""
    return detail(504 if isinstance(error, ModelTimeoutError) else 503, _said(error))


def _said(error: RecollectError) -> str:
    if isinstance(error, _FAILURES):
        return f"{error.code}: {error}; the model that answers is set in learn.llm"
    return f"{error.code}: memory is not available at the moment"


ANSWER_OPERATIONS = operations_of(AnswerApi)
