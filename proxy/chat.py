"""POST /v1/chat/completions: the route with memory."""

from __future__ import annotations

import logging
from collections.abc import Callable

import aiohttp
from aiohttp import web
from multidict import CIMultiDict

from config.server import IdentityOptions, UpstreamOptions
from filters import Exchange, Outcome, Verdict
from filters.capture import conversation_id_of, turn_id_of

from .chat_body import ChatBody, UnreadableBodyError, insert_system_message, parse_chat_body
from .credentials import ClientModels
from .headers import forwarded_request_headers, readable_encodings
from .identity import Caller, credential_of, resolve_caller
from .passthrough import Passthrough
from .pipeline import Pipeline
from .relay import relay
from .tasks import Tasks
from .telemetry import Telemetry
from .transcript import DECODABLE, Transcript
from .upstream import Upstream

log = logging.getLogger(__name__)

ROUTE = "/v1/chat/completions"

OUTCOME_HEADER = "x-recollect-memory"
REASON_HEADER = "x-recollect-reason"
COUNT_HEADER = "x-recollect-count"


class ChatTee:
    """Captures one exchange's answer as it goes by."""

    def __init__(
        self, exchange: Exchange, transcript: Transcript, pipeline: Pipeline, tasks: Tasks
    ) -> None:
        self._exchange = exchange
        self._transcript = transcript
        self._pipeline = pipeline
        self._tasks = tasks
        self._captured = -1

    def feed(self, chunk: bytes) -> bool:
        return self._transcript.feed(chunk)

    async def finish(self, *, complete: bool) -> None:
        size = self._transcript.size
        if self._captured == size:
            return
        answer = self._transcript.answer(complete=complete)
        if answer is not None:
            await self._pipeline.capture(self._exchange, answer)
        # Not before: a client that leaves meanwhile cancels the capture, and it is done again.
        self._captured = size

    def abandon(self) -> None:
        self._tasks.start(self.finish(complete=False), name="capture of an abandoned answer")


class Chat:
    """The handler of the route."""

    def __init__(
        self,
        *,
        upstream: Upstream,
        passthrough: Passthrough,
        pipeline: Pipeline,
        models: ClientModels,
        on_new_tenant: Callable[[], None],
        tasks: Tasks,
        telemetry: Telemetry,
        identity: IdentityOptions,
        limits: UpstreamOptions,
        on_loopback: bool,
        recalls: bool,
        learns: bool,
    ) -> None:
        self._upstream = upstream
        self._passthrough = passthrough
        self._pipeline = pipeline
        self._models = models
        self._on_new_tenant = on_new_tenant
        self._tasks = tasks
        self._telemetry = telemetry
        self._identity = identity
        self._max_parsed_bytes = limits.max_parsed_bytes
        self._on_loopback = on_loopback
        self._recalls = recalls
        self._learns = learns

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Recall, forward, capture."""
        with self._telemetry.request(request.method, ROUTE, request.headers):
            reason = self._unreadable(request)
            if reason is not None:
                return await self._forward_unread(request, None, reason)
            raw = await request.read()
            try:
                body = parse_chat_body(raw)
            except UnreadableBodyError:
                return await self._forward_unread(request, raw, "unreadable_body")
            return await self._chat(request, body)

    def _unreadable(self, request: web.Request) -> str | None:
        """Why the body is not even looked at."""
        if request.headers.get("Content-Encoding", "identity").lower() != "identity":
            return "encoded_body"
        if request.content_length is None:
            return "unknown_length"
        return "large_body" if request.content_length > self._max_parsed_bytes else None

    async def _forward_unread(
        self, request: web.Request, raw: bytes | None, reason: str
    ) -> web.StreamResponse:
        extra = outcome_headers(Verdict(Outcome.SKIPPED, reason), 0)
        return await self._passthrough.forward(request, raw, extra=extra)

    async def _chat(self, request: web.Request, body: ChatBody) -> web.StreamResponse:
        caller = resolve_caller(
            request.headers, body, self._identity, on_loopback=self._on_loopback
        )
        exchange = _exchange(body, caller)
        verdict = await self._recall(exchange, caller)
        data = body.raw
        count = 0
        if exchange is not None and exchange.injection is not None:
            data = insert_system_message(body, exchange.injection.index, exchange.injection.text)
            count = len(exchange.selection.chosen) if exchange.selection else 0
        learns = self._learns and caller.use.writes and exchange is not None
        headers = self._request_headers(request, len(data), learns=learns)
        answer = await self._upstream.send(request.method, request.raw_path, headers, data)
        tee = None
        if learns and exchange is not None and answer.status == web.HTTPOk.status_code:
            self._note_credential(exchange, request)
            tee = ChatTee(exchange, _transcript(answer), self._pipeline, self._tasks)
        return await relay(request, answer, extra=outcome_headers(verdict, count), tee=tee)

    def _note_credential(self, exchange: Exchange, request: web.Request) -> None:
        credential = credential_of(request.headers)
        if self._models.note(exchange.scope.tenant, credential, exchange.model):
            self._on_new_tenant()

    async def _recall(self, exchange: Exchange | None, caller: Caller) -> Verdict:
        if exchange is None:
            return Verdict(Outcome.OFF, caller.reason)
        if not self._recalls:
            return Verdict(Outcome.OFF, "off_by_configuration")
        if not caller.use.reads:
            return Verdict(Outcome.OFF, "off_by_header")
        return await self._pipeline.recall(exchange)

    def _request_headers(
        self, request: web.Request, length: int, *, learns: bool
    ) -> CIMultiDict[str]:
        headers = forwarded_request_headers(request.headers)
        headers["Content-Length"] = str(length)
        accept = headers.get("Accept-Encoding")
        if learns and accept is not None:
            headers["Accept-Encoding"] = readable_encodings(accept, DECODABLE)
        self._telemetry.propagate(headers)
        return headers


def outcome_headers(verdict: Verdict, count: int) -> dict[str, str]:
    """What we tell the client about memory."""
    return {
        OUTCOME_HEADER: verdict.outcome.value,
        REASON_HEADER: verdict.reason,
        COUNT_HEADER: str(count),
    }


def _exchange(body: ChatBody, caller: Caller) -> Exchange | None:
    if caller.scope is None:
        return None
    messages = body.messages
    conversation_id = conversation_id_of(caller.scope, caller.session, messages)
    return Exchange(
        scope=caller.scope,
        messages=messages,
        model=body.model,
        tools=body.tools,
        conversation_id=conversation_id,
        turn_id=turn_id_of(conversation_id, messages),
    )


def _transcript(answer: aiohttp.ClientResponse) -> Transcript:
    return Transcript(
        stream=answer.content_type == "text/event-stream",
        encoding=answer.headers.get("Content-Encoding", ""),
    )
