"""The request side of an exchange: who calls, what is recalled, what goes upstream."""

from __future__ import annotations

import time
from dataclasses import dataclass

from aiohttp import web
from multidict import CIMultiDict

from recollect.filters import Exchange, Outcome, Verdict

from ..access.access import Access
from ..access.identity import Caller
from ..access.shared_default import SharedDefault
from ..transport.headers import (
    DECODABLE,
    describe_edited_body,
    forwarded_request_headers,
    readable_encodings,
)
from .manner import manner_of
from .pipeline import Pipeline
from .reader import ParsedRequest
from .threads import Threads, messages_of, place, thread_of


@dataclass(frozen=True, slots=True)
class Ready:
    """A request that is ready to go upstream, with its memory verdict."""

    exchange: Exchange | None
    verdict: Verdict
    learns: bool
    data: bytes
    headers: CIMultiDict[str]
    recall_seconds: float = 0.0


class RequestSide:
    """Prepares requests for the upstream."""

    def __init__(
        self, access: Access, threads: Threads, pipeline: Pipeline, shared: SharedDefault
    ) -> None:
        self._access = access
        self._shared = shared
        self._threads = threads
        self._pipeline = pipeline

    async def prepare(self, request: web.Request, reading: ParsedRequest) -> Ready:
        """Identify the caller, recall, and build the outgoing request."""
        caller = self._access.caller(request.headers, reading.body, request.remote)
        begin = time.perf_counter()
        exchange = await self._exchange(reading, caller)
        if exchange is not None and not caller.named:
            self._shared.note(exchange, request.headers, request.remote)
        learns = self._pipeline.learns and caller.use.writes and exchange is not None
        if exchange is not None:
            self._pipeline.notice(exchange, learns=learns)
            learns = learns and not exchange.aside
        verdict = await self._recall(exchange, caller, spent=time.perf_counter() - begin)
        seconds = time.perf_counter() - begin
        data, headers = _outgoing(request, reading, exchange, learns=learns)
        return Ready(exchange, verdict, learns, data, headers, seconds)

    async def _exchange(self, reading: ParsedRequest, caller: Caller) -> Exchange | None:
        if caller.scope is None:
            return None
        body, messages = reading.body, reading.messages
        previous = body.previous_response or body.conversation
        parent, earlier = None, []
        if previous:
            earlier = await self._pipeline.thread(caller.scope, previous)
            # Of a turn that goes on, this process knows more than was recorded.
            parent = self._threads.find(caller.scope, previous) or thread_of(earlier)
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
            earlier=messages_of(earlier),
            manner=manner_of(body, messages),
            upstream_id=body.conversation or "",
        )

    async def _recall(self, exchange: Exchange | None, caller: Caller, *, spent: float) -> Verdict:
        if exchange is None:
            return Verdict(Outcome.OFF, caller.reason)
        if not self._pipeline.recalls:
            return Verdict(Outcome.OFF, "off_by_configuration")
        if not caller.use.reads:
            return Verdict(Outcome.OFF, "off_by_header")
        return await self._pipeline.recall(exchange, spent=spent)


def _outgoing(
    request: web.Request, reading: ParsedRequest, exchange: Exchange | None, *, learns: bool
) -> tuple[bytes, CIMultiDict[str]]:
    """Body and headers for the upstream: the client's own bytes, unless memories were injected."""
    headers = forwarded_request_headers(request.raw_headers)
    data = reading.raw
    if exchange is not None and exchange.injections:
        data = reading.body.inject(exchange.injections)
        describe_edited_body(headers)
    headers["Content-Length"] = str(len(data))
    accept = headers.get("Accept-Encoding")
    if learns and accept is not None:
        headers["Accept-Encoding"] = readable_encodings(accept, DECODABLE)
    return data, headers
