"""Sends a chat with our tools, runs the calls, and sends again: the client gets one answer."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import aiohttp

from recollect.config.tools import ToolOptions
from recollect.filters import Exchange, Outcome
from recollect.memory import AsyncMemory
from recollect.memory.engine.engine import Engine
from recollect.memory.model.types import Scope
from recollect.memory.tools import ToolSet
from recollect.memory.util.lru import Lru
from recollect.memory.util.tasks import Tasks
from recollect.memory.util.untrusted_json import json_object

from ...dialects.transcript import decode, is_stream
from ...errors import ProxyError
from ...telemetry.tracing import Telemetry
from ...transport.headers import PLAIN
from ...transport.relay import UpstreamAnswer
from ..reader import ParsedRequest
from ..request_side import PreparedRequest
from .eligibility import why_not
from .merged import MergedAnswer
from .received import Received
from .rounds import Earlier, OurNames, Round
from .running import ToolRunner
from .shapes import SHAPES, ToolShape, without_tools
from .splicing import appended

log = logging.getLogger(__name__)

REFUSED_SECONDS = 600.0
"""After this time a model whose server refused tools is given some again: it may be another server
by then, or the request was too long with them."""
MODELS = 1000
"""Models of which is known that their server refuses tools."""
Send = Callable[[bytes], Awaitable[aiohttp.ClientResponse]]


@dataclass(frozen=True, slots=True)
class Equipped:
    """A request with our tools."""

    data: bytes
    tools: ToolSet
    own: Any
    """The client's tools, as they came."""
    model: str


class ToolLoop:
    """Injected tools for one API."""

    def __init__(
        self,
        shape: ToolShape,
        tools_of: Callable[[Scope, bool], ToolSet],
        *,
        rounds: int,
        refusing: Lru[str, float],
        runner: ToolRunner,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`tools_of` gives the tools of a scope, and whether it may write.

        `refusing` has the models whose server refuses tools, and since when; all APIs share it.
        """
        self._shape = shape
        self._tools_of = tools_of
        self._rounds = rounds
        self._refusing = refusing
        self._runner = runner
        self._clock = clock

    def equipped(self, reading: ParsedRequest, prepared: PreparedRequest) -> Equipped | None:
        """The request with our tools; None if it takes none. Never raises for a client's body."""
        exchange, body = prepared.exchange, reading.body
        if exchange is None or exchange.is_side_request or prepared.verdict.outcome is Outcome.OFF:
            return None
        since = self._refusing.get(body.model)
        if since is not None and self._clock() - since < REFUSED_SECONDS:
            exchange.notes["tools"] = "refused_by_upstream"
            return None
        tools = self._tools_of(exchange.scope, prepared.writes)
        reason = why_not(body, tools.names) if tools.names else "none_offered"
        if reason is None:
            try:
                data = appended(prepared.data, "tools", self._shape.rendered(tools.tools))
            except (ValueError, IndexError, RecursionError):
                reason = "tools_unreadable"
            else:
                exchange.notes["tools"] = "injected"
                return Equipped(data, tools, body.fields.get("tools"), body.model)
        exchange.notes["tools"] = reason
        return None

    def refused(self, equipped: Equipped) -> None:
        """Note that the server of a model takes no tools: it took the same request without."""
        log.warning("the server of the model %s refuses tools: none are injected", equipped.model)
        self._refusing.put(equipped.model, self._clock())

    async def answer(
        self, exchange: Exchange, equipped: Equipped, first: aiohttp.ClientResponse, send: Send
    ) -> UpstreamAnswer:
        """The answer to the client, once our calls were answered; `first` is the upstream's.

        Raises ProxyError if the upstream does not answer any more.
        """
        received = Received(first)
        if first.content_type == _EVENTS:
            return MergedAnswer(first, self._labelled(exchange, equipped, first, received, send))
        return await self._whole(exchange, equipped, first, received, send)

    async def _labelled(
        self,
        exchange: Exchange,
        equipped: Equipped,
        answer: aiohttp.ClientResponse,
        received: Received,
        send: Send,
    ) -> AsyncIterator[bytes]:
        """What is labelled as events, and may be an answer in one piece all the same."""
        if await received.is_stream(labelled=True):
            chunks = self._streamed(exchange, equipped, answer, received, send)
        else:
            whole = await self._whole(exchange, equipped, answer, received, send)
            chunks = whole.content.iter_any()
        async for chunk in chunks:
            yield chunk

    async def _whole(
        self,
        exchange: Exchange,
        equipped: Equipped,
        answer: aiohttp.ClientResponse,
        received: Received,
        send: Send,
    ) -> UpstreamAnswer:
        data, earlier, names = equipped.data, Earlier(), OurNames(equipped.tools.names)
        while True:
            raw, complete = await received.whole()
            plain, _ = decode(raw, answer.headers.get("Content-Encoding", "").strip().lower())
            document = json_object(plain) if complete else None
            if document is None and complete and is_stream(plain, labelled=False):
                events = Received(answer, plain)
                chunks = self._streamed(exchange, equipped, answer, events, send)
                return MergedAnswer(answer, chunks, edited=plain is not raw)
            if document is None:
                return MergedAnswer(answer, received.unread(raw, equipped.tools.names))
            one = self._shape.read(document)
            ours = one.ours(names)
            if not ours or one.broken or earlier.rounds >= self._rounds:
                told = self._shape.with_own_tools(document, equipped.own)
                if not earlier.rounds and not ours and not told:
                    return MergedAnswer.of_bytes(answer, raw)
                merged = self._shape.merged(document, earlier, names)
                body = json.dumps(merged, ensure_ascii=False).encode(errors="replace")
                return MergedAnswer.of_bytes(answer, body, edited=True)
            answer.close()
            earlier = earlier.after(one)
            data = await self._next(exchange, equipped, data, one, earlier.rounds)
            answer = await send(data)
            received = Received(answer)
            if answer.status >= _AN_ERROR:
                return answer

    async def _streamed(
        self,
        exchange: Exchange,
        equipped: Equipped,
        answer: aiohttp.ClientResponse,
        received: Received,
        send: Send,
    ) -> AsyncIterator[bytes]:
        data, rounds, names = equipped.data, 0, OurNames(equipped.tools.names)
        merged = self._shape.stream(names, equipped.own)
        try:
            while True:
                async for out in received.events(merged.take):
                    yield out
                one = merged.round()
                ours = bool(one.ours(names))
                if not ours or one.broken or rounds >= self._rounds:
                    if out := b"".join(merged.last()):
                        yield out
                    if not rounds and not ours:
                        async for out in received.rest():
                            yield out
                    return
                answer.close()
                rounds += 1
                data = await self._next(exchange, equipped, data, one, rounds)
                if out := merged.answered():
                    yield out
                try:
                    answer = await send(data)
                    received = Received(answer)
                    error = await _error_of(answer, received)
                except (ProxyError, aiohttp.ClientError) as failure:
                    told = failure.message if isinstance(failure, ProxyError) else "broke off"
                    error = {"message": told, "type": "upstream_error", "code": None}
                if error is not None:
                    log.warning("the model server did not go on after a call of a tool: %s", error)
                    yield b"".join(merged.failed(error))
                    return
        finally:
            answer.close()

    async def _next(
        self, exchange: Exchange, equipped: Equipped, data: bytes, one: Round, rounds: int
    ) -> bytes:
        """The request after a round, with what its calls answered."""
        results = await self._runner.results(exchange, equipped.tools, one.calls)
        data = self._shape.continued(data, one, results)
        return without_tools(data, equipped.own) if rounds >= self._rounds else data


_AN_ERROR = 400
_EVENTS = "text/event-stream"


async def _error_of(answer: aiohttp.ClientResponse, received: Received) -> dict[str, Any] | None:
    """What the server says of its refusal; None if it answers in events. Raises ClientError."""
    labelled = answer.content_type == _EVENTS
    answers = answer.status < _AN_ERROR and _is_plain(answer)
    if answers and await received.is_stream(labelled=labelled):
        return None
    raw, _ = await received.whole()
    answer.close()
    said = (json_object(raw) or {}).get("error")
    if isinstance(said, dict):
        return said
    return {"message": f"the model server answered {answer.status}", "type": "upstream_error",
            "code": None}  # fmt: skip


def _is_plain(answer: aiohttp.ClientResponse) -> bool:
    return answer.headers.get("Content-Encoding", "").strip().lower() in PLAIN


def is_readable(answer: aiohttp.ClientResponse) -> bool:
    """Whether our calls in an answer can be found: what is packed is read in one piece only."""
    return answer.content_type != _EVENTS or _is_plain(answer)


class ToolLoops:
    """The loops of all APIs, which share what is known of models."""

    def __init__(
        self, engine: Engine, options: ToolOptions, tasks: Tasks, telemetry: Telemetry
    ) -> None:
        """`tasks` finishes writes whose client has left."""
        self._engine = engine
        self._options = options
        self._runner = ToolRunner(tasks, telemetry)
        self._refusing: Lru[str, float] = Lru(MODELS)

    def of(self, path: str) -> ToolLoop | None:
        """That of the API at this path; None if nothing is injected, or not into this API."""
        shape = SHAPES.get(path)
        if not self._options.inject or shape is None:
            return None
        return ToolLoop(
            shape,
            self._tools_of,
            rounds=self._options.rounds,
            refusing=self._refusing,
            runner=self._runner,
        )

    def _tools_of(self, scope: Scope, writes: bool) -> ToolSet:
        memory = AsyncMemory(self._engine, tenant=scope.tenant, only_user=scope.user_id)
        return memory.tools(
            user_id=scope.user_id,
            agent_id=scope.agent_id,
            run_id=scope.run_id,
            names=self._options.names,
            validates=self._options.validates,
            read_only=not writes,
        )
