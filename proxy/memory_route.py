"""The handler of a route with memory: recall, forward, capture, in whichever dialect."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass

import aiohttp
from aiohttp import web
from multidict import CIMultiDict

from config.server import UpstreamOptions
from filters import Answer, Exchange, Outcome, Verdict
from memory.bulk import Bulk
from memory.types import Message

from .access import Access
from .capture_tee import CaptureTee
from .careful_tee import CarefulTee
from .credentials import ClientModels
from .debug import explain_header
from .dialects.body import RequestBody, UnreadableBodyError
from .dialects.dialect import Dialect
from .dialects.transcript import Transcript
from .errors import unexpected
from .identity import Caller, credential_of
from .pipeline import Pipeline
from .tasks import Tasks
from .telemetry import Telemetry
from .threads import Thread, Threads, asked, place
from .transport.headers import (
    DECODABLE,
    describe_edited_body,
    forwarded_request_headers,
    readable_encodings,
)
from .transport.incoming import Incoming, Joining, read_incoming
from .transport.passthrough import Passthrough
from .transport.relay import Tee, relay
from .transport.upstream import Upstream

log = logging.getLogger(__name__)

OUTCOME_HEADER = "x-recollect-memory"
REASON_HEADER = "x-recollect-reason"
COUNT_HEADER = "x-recollect-count"

INLINE_BYTES = 32 * 1024
"""A body up to this size is read on the loop, in a fraction of a millisecond."""
THREADS = 1


FAILED = Verdict(Outcome.DEGRADED, "internal_error")
"""Of a request or an answer around whose memory something broke that nobody expected."""


@dataclass(frozen=True, slots=True)
class _Ready:
    """A request that may go upstream, and what memory has to do with it."""

    exchange: Exchange | None
    verdict: Verdict
    learns: bool
    data: bytes
    headers: CIMultiDict[str]


class MemoryRoute:
    """One route; every request of it that memory cannot help passes untouched and says why."""

    def __init__(
        self,
        dialect: Dialect,
        *,
        upstream: Upstream,
        passthrough: Passthrough,
        pipeline: Pipeline,
        threads: Threads,
        models: ClientModels,
        tasks: Tasks,
        telemetry: Telemetry,
        access: Access,
        limits: UpstreamOptions,
    ) -> None:
        self._dialect = dialect
        self._upstream = upstream
        self._passthrough = passthrough
        self._pipeline = pipeline
        self._threads = threads
        self._models = models
        self._tasks = tasks
        self._telemetry = telemetry
        self._access = access
        self._max_parsed_bytes = limits.max_parsed_bytes
        self._bulk = Bulk(THREADS, name="parse")
        self._joined = Joining()

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Recall, forward, capture."""
        with self._telemetry.request(request.method, self._dialect.path, request.headers):
            reason = self._access.foreign(request.headers)
            if reason is not None:
                # A web page must neither read memories out of answers nor plant any.
                return await self._forward_unread(request, None, Verdict(Outcome.OFF, reason))
            incoming = await read_incoming(request, self._max_parsed_bytes, self._joined)
            if incoming.plain is None:
                skipped = Verdict(Outcome.SKIPPED, incoming.reason)
                return await self._forward_unread(request, incoming.raw, skipped)
            try:
                body, messages = await self._parsed(request, incoming.plain)
            except UnreadableBodyError:
                skipped = Verdict(Outcome.SKIPPED, "unreadable_body")
                return await self._forward_unread(request, incoming.raw, skipped)
            return await self._remember(request, incoming, body, messages)

    async def _parsed(
        self, request: web.Request, plain: bytes
    ) -> tuple[RequestBody, list[Message]]:
        """Read a body; a large one away from the loop, one at a time for each client address.

        Raises:
            UnreadableBodyError: memory cannot read it.
        """

        def parse() -> tuple[RequestBody, list[Message]]:
            body = self._dialect.parse(plain)
            return body, body.messages

        if len(plain) <= INLINE_BYTES:
            return parse()
        return await self._bulk.run(request.remote, parse)

    async def _forward_unread(
        self, request: web.Request, raw: bytes | AsyncIterator[bytes] | None, verdict: Verdict
    ) -> web.StreamResponse:
        return await self._passthrough.forward(request, raw, extra=self._said(request, verdict))

    def _said(
        self, request: web.Request, verdict: Verdict, exchange: Exchange | None = None
    ) -> dict[str, str]:
        """What we tell the client about memory, and why if it asks."""
        headers = outcome_headers(verdict, _count(exchange))
        if self._access.explains(request.headers):
            headers |= explain_header(verdict, exchange)
        return headers

    async def _remember(
        self,
        request: web.Request,
        incoming: Incoming,
        body: RequestBody,
        messages: list[Message],
    ) -> web.StreamResponse:
        try:
            ready = await self._prepare(request, incoming, body, messages)
        except Exception as error:  # noqa: BLE001 - told in the log, and promise 2: the chat goes on
            unexpected(error, f"the memory of a request to {self._dialect.path}")
            return await self._forward_unread(request, incoming.raw, FAILED)
        answer = await self._upstream.send(
            request.method, request.raw_path, ready.headers, ready.data
        )
        try:
            tee = self._listen_to(request, answer, body, ready)
            said = self._said(request, ready.verdict, ready.exchange)
        except Exception as error:  # noqa: BLE001 - as above
            unexpected(error, f"the memory of an answer from {self._dialect.path}")
            tee, said = None, outcome_headers(FAILED, 0)
        return await relay(request, answer, extra=said, tee=tee)

    async def _prepare(
        self,
        request: web.Request,
        incoming: Incoming,
        body: RequestBody,
        messages: list[Message],
    ) -> _Ready:
        caller = self._access.caller(request.headers, body)
        exchange = self._exchange(body, messages, caller)
        verdict = await self._recall(exchange, caller)
        learns = self._pipeline.learns and caller.use.writes and exchange is not None
        data, headers = self._request(request, incoming, body, exchange, learns=learns)
        return _Ready(exchange, verdict, learns, data, headers)

    def _listen_to(
        self,
        request: web.Request,
        answer: aiohttp.ClientResponse,
        body: RequestBody,
        ready: _Ready,
    ) -> Tee | None:
        """What learns from the answer, if it says anything to learn from."""
        exchange, worked = ready.exchange, answer.status == web.HTTPOk.status_code
        if exchange is None or not worked:
            return None
        if ready.learns or self._pipeline.asks_model:
            self._note_credential(exchange, request)
        return CarefulTee(self._tee(exchange, body, answer)) if ready.learns else None

    def _exchange(
        self, body: RequestBody, messages: list[Message], caller: Caller
    ) -> Exchange | None:
        if caller.scope is None:
            return None
        previous = body.previous_response or body.conversation
        parent = self._threads.find(caller.scope, previous) if previous else None
        thread = place(caller.scope, caller.session, messages, previous, parent)
        return Exchange(
            scope=caller.scope,
            messages=messages,
            model=body.model,
            tools=body.tools,
            conversation_id=thread.conversation_id,
            turn_id=thread.turn_id,
            asked=thread.asked,
            shown=thread.shown,
        )

    async def _recall(self, exchange: Exchange | None, caller: Caller) -> Verdict:
        if exchange is None:
            return Verdict(Outcome.OFF, caller.reason)
        if not self._pipeline.recalls:
            return Verdict(Outcome.OFF, "off_by_configuration")
        if not caller.use.reads:
            return Verdict(Outcome.OFF, "off_by_header")
        return await self._pipeline.recall(exchange)

    def _request(
        self,
        request: web.Request,
        incoming: Incoming,
        body: RequestBody,
        exchange: Exchange | None,
        *,
        learns: bool,
    ) -> tuple[bytes, CIMultiDict[str]]:
        """What goes upstream: the client's own bytes, unless something was injected."""
        headers = forwarded_request_headers(request.raw_headers)
        data = incoming.raw if isinstance(incoming.raw, bytes) else body.raw
        if exchange is not None and exchange.injections:
            data = body.inject(exchange.injections)
            describe_edited_body(headers)
        headers["Content-Length"] = str(len(data))
        accept = headers.get("Accept-Encoding")
        if learns and accept is not None:
            headers["Accept-Encoding"] = readable_encodings(accept, DECODABLE)
        self._telemetry.propagate(headers)
        return data, headers

    def _tee(
        self, exchange: Exchange, body: RequestBody, answer: aiohttp.ClientResponse
    ) -> CaptureTee:
        transcript = Transcript(
            self._dialect.read,
            stream=answer.content_type == "text/event-stream",
            encoding=answer.headers.get("Content-Encoding", ""),
            end_detector=self._dialect.end_detector(),
        )
        return CaptureTee(
            exchange,
            transcript,
            self._pipeline,
            self._tasks,
            on_answer=lambda said: self._note_answer(exchange, body, said),
        )

    def _note_answer(self, exchange: Exchange, body: RequestBody, answer: Answer) -> None:
        """A later request may go on from this answer, or from the whole conversation's last."""
        if not self._dialect.keeps_conversations:
            return
        thread = Thread(
            exchange.conversation_id,
            exchange.turn_id,
            asked(exchange.messages, exchange.asked),
            exchange.shown | exchange.injected,
        )
        for name in filter(None, (answer.response_id, body.conversation)):
            self._threads.note(exchange.scope, name, thread)

    def _note_credential(self, exchange: Exchange, request: web.Request) -> None:
        credential = credential_of(request.headers)
        if self._models.note(exchange.scope.tenant, credential, exchange.model):
            self._pipeline.wake()


def outcome_headers(verdict: Verdict, count: int) -> dict[str, str]:
    """What we tell every client about memory."""
    return {
        OUTCOME_HEADER: verdict.outcome.value,
        REASON_HEADER: verdict.reason,
        COUNT_HEADER: str(count),
    }


def _count(exchange: Exchange | None) -> int:
    return len(exchange.injected) if exchange is not None else 0
