"""The response side of an exchange: what is noted from an answer while it is relayed."""

from __future__ import annotations

from collections.abc import Callable

from aiohttp import web

from recollect.filters import Answer, Exchange
from recollect.memory.util.fair_thread_pool import FairThreadPool
from recollect.memory.util.tasks import Tasks

from ..access.accepted import Accepted
from ..access.presented_credentials import key_in
from ..dialects.body import RequestBody
from ..dialects.dialect import Dialect
from ..dialects.transcript import Transcript
from ..transport.relay import Tee
from ..transport.upstream_answer import UpstreamAnswer
from .capture_tee import CaptureTee
from .chat_amounts import chat_amounts
from .pipeline import Pipeline
from .request_side import PreparedRequest
from .threads import Thread, Threads, asked

THREADS = 1


def grant(exchange: Exchange | None, *, granted: bool) -> None:
    """Tell whether the model server took the credentials of a chat; the first time counts."""
    waiting = None if exchange is None else exchange.granted
    if waiting is not None and not waiting.done():
        waiting.set_result(granted)


Used = Callable[[str, str | None, str], None]
"""Told the tenant, the credential and the model of a request that was answered."""


class ResponseSide:
    """Reads the answers of one dialect: notes turns, threads and the clients' models."""

    def __init__(
        self,
        dialect: Dialect,
        pipeline: Pipeline,
        threads: Threads,
        used: Used,
        tasks: Tasks,
        accepted: Accepted,
    ) -> None:
        """`used` is told how a tenant's request was authorised."""
        self._dialect = dialect
        self._pipeline = pipeline
        self._threads = threads
        self._used = used
        self._tasks = tasks
        self._accepted = accepted
        self._bulk = FairThreadPool(THREADS, name="answers")

    def listen(
        self,
        request: web.Request,
        body: RequestBody,
        prepared: PreparedRequest,
        answer: UpstreamAnswer,
    ) -> Tee | None:
        """The tee that captures the answer; None if the answer is not to be captured."""
        exchange, worked = prepared.exchange, answer.status == web.HTTPOk.status_code
        grant(exchange, granted=worked)
        if exchange is not None:
            self._accepted.note(exchange.scope.tenant, answer.status)
        if exchange is None or not worked:
            return None
        self._pipeline.count(exchange.scope.tenant, chat_amounts(prepared.verdict, exchange))
        if prepared.learns or self._pipeline.asks_model:
            self._used(exchange.scope.tenant, key_in(request.headers), exchange.model)
        return self._tee(exchange, body, answer) if prepared.learns else None

    def _tee(self, exchange: Exchange, body: RequestBody, answer: UpstreamAnswer) -> CaptureTee:
        transcript = Transcript(
            self._dialect.read,
            stream=answer.content_type == "text/event-stream",
            lines=self._dialect.lines,
            encoding=answer.headers.get("Content-Encoding", ""),
            end_detector=self._dialect.end_detector(),
        )
        return CaptureTee(
            exchange,
            transcript,
            self._pipeline,
            self._tasks,
            self._bulk,
            on_answer=lambda said: self._note_answer(exchange, body, said),
        )

    def _note_answer(self, exchange: Exchange, body: RequestBody, answer: Answer) -> None:
        """A later request may continue from this answer or from the conversation's last one."""
        if not self._dialect.keeps_conversations:
            return
        thread = Thread(
            exchange.conversation_id,
            exchange.turn_id,
            asked(exchange.messages, exchange.asked),
            exchange.shown | exchange.injected,
            exchange.turns,
        )
        for name in filter(None, (answer.response_id, body.conversation)):
            self._threads.note(exchange.scope, name, thread)
