"""Sends a chat with our tools, runs the calls, and sends again: the client gets one answer."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import aiohttp

from recollect.config.tools import ToolOptions
from recollect.filters import Exchange, Outcome
from recollect.memory import AsyncMemory
from recollect.memory.engine.engine import Engine
from recollect.memory.model.types import Scope, ToolCall
from recollect.memory.tools import ToolSet
from recollect.memory.util.lru import Lru
from recollect.memory.util.untrusted_json import json_object

from ...dialects.transcript import decode
from ...errors import ProxyError
from ...transport.headers import PLAIN
from ...transport.relay import UpstreamAnswer
from ..reader import ParsedRequest
from ..request_side import PreparedRequest
from .eligibility import why_not
from .events import EventSplitter
from .merged import MergedAnswer, broken_off
from .rounds import NOT_RUN, Earlier, Round
from .shapes import SHAPES, ToolShape, without_tools
from .splicing import appended

log = logging.getLogger(__name__)

CALL_SECONDS = 30.0
MAX_RESULT_CHARS = 40_000
"""Of one call: a model with little room is told to ask for less."""
MAX_CALLS = 16
"""Of one round."""
MAX_BODY_BYTES = 16 * 2**20
"""An answer in one piece that is longer is passed on as it came."""
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
        refusing: Lru[str, str],
    ) -> None:
        """`tools_of` gives the tools of a scope, and whether it may write.

        `refusing` has the models whose server refuses tools; all APIs share it.
        """
        self._shape = shape
        self._tools_of = tools_of
        self._rounds = rounds
        self._refusing = refusing

    def equipped(self, reading: ParsedRequest, prepared: PreparedRequest) -> Equipped | None:
        """The request with our tools; None if it takes none. Never raises for a client's body."""
        exchange, body = prepared.exchange, reading.body
        if exchange is None or exchange.aside or prepared.verdict.outcome is Outcome.OFF:
            return None
        if self._refusing.get(body.model):
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
        self._refusing.put(equipped.model, "tools")

    async def answer(
        self, exchange: Exchange, equipped: Equipped, first: aiohttp.ClientResponse, send: Send
    ) -> UpstreamAnswer:
        """The answer to the client, once our calls were answered; `first` is the upstream's.

        Raises ProxyError if the upstream does not answer any more.
        """
        if first.content_type == "text/event-stream":
            chunks = self._streamed(exchange, equipped, first, send)
            return MergedAnswer(first, chunks)
        return await self._whole(exchange, equipped, first, send)

    async def _whole(
        self, exchange: Exchange, equipped: Equipped, answer: aiohttp.ClientResponse, send: Send
    ) -> UpstreamAnswer:
        data, earlier = equipped.data, Earlier()
        while True:
            raw, complete = await _read(answer)
            plain, _ = decode(raw, answer.headers.get("Content-Encoding", "").strip().lower())
            document = json_object(plain) if complete else None
            if document is None:
                return MergedAnswer(answer, _again(raw, answer, complete=complete))
            one = self._shape.read(document)
            ours = one.ours(equipped.tools.names)
            over = earlier.rounds >= self._rounds
            if not ours or over:
                if not earlier.rounds and not ours:
                    return MergedAnswer.of_bytes(answer, raw)
                without = equipped.tools.names if ours else ()
                merged = self._shape.merged(document, earlier, without)
                told = json.dumps(merged, ensure_ascii=False).encode(errors="replace")
                return MergedAnswer.of_bytes(answer, told, edited=True)
            answer.close()
            earlier = earlier.after(one)
            data = await self._next(exchange, equipped, data, one, earlier.rounds)
            answer = await send(data)
            if answer.status >= _AN_ERROR:
                return answer

    async def _streamed(
        self, exchange: Exchange, equipped: Equipped, answer: aiohttp.ClientResponse, send: Send
    ) -> AsyncIterator[bytes]:
        data, rounds = equipped.data, 0
        merged = self._shape.stream(equipped.tools.names)
        try:
            while True:
                async for out in _events(answer, merged.take):
                    yield out
                one = merged.round()
                if not one.ours(equipped.tools.names) or rounds >= self._rounds:
                    if out := b"".join(merged.last()):
                        yield out
                    return
                answer.close()
                rounds += 1
                data = await self._next(exchange, equipped, data, one, rounds)
                merged.answered()
                try:
                    answer = await send(data)
                    error = await _error_of(answer)
                except ProxyError as failure:
                    error = {"message": failure.message, "type": "upstream_error", "code": None}
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
        results = await self._results(exchange, equipped.tools, one.calls)
        data = self._shape.continued(data, one, results)
        return without_tools(data, equipped.own) if rounds >= self._rounds else data

    async def _results(
        self, exchange: Exchange, tools: ToolSet, calls: Sequence[ToolCall]
    ) -> list[tuple[ToolCall, str]]:
        """What each call answers, in order; one after the other, since they may write."""
        results = []
        for number, call in enumerate(calls):
            if call.name not in tools.names:
                results.append((call, NOT_RUN))
            elif number >= MAX_CALLS:
                results.append((call, '{"error":"not run: too many calls at once"}'))
            else:
                results.append((call, await _run(exchange, tools, call)))
        return results


async def _run(exchange: Exchange, tools: ToolSet, call: ToolCall) -> str:
    try:
        async with asyncio.timeout(CALL_SECONDS):
            answer = await tools.call(call.name, call.arguments)
    except TimeoutError:
        log.warning("the tool %s took longer than %.0f s", call.name, CALL_SECONDS)
        return '{"error":"it took too long; it may have been done"}'
    log.info(
        "tool %s of conversation %s: %s",
        call.name,
        exchange.conversation_id,
        "refused" if answer.is_error else "done",
    )
    if len(answer.text) > MAX_RESULT_CHARS:
        return '{"error":"the answer is too long; ask for less"}'
    return answer.text


_AN_ERROR = 400


async def _events(
    answer: aiohttp.ClientResponse, take: Callable[[Any], Collection[bytes] | Any]
) -> AsyncIterator[bytes]:
    """What goes to the client of one round, chunk by chunk."""
    splitter = EventSplitter()
    async for chunk in answer.content.iter_any():
        done = False
        out: list[bytes] = []
        for event in splitter.feed(chunk):
            done = done or event.is_done
            out += take(event)
        if whole := b"".join(out):
            yield whole
        if done:  # some servers keep the connection open
            return
    rest = b"".join(piece for event in splitter.end() for piece in take(event))
    if rest:
        yield rest


async def _read(answer: aiohttp.ClientResponse) -> tuple[bytes, bool]:
    """What was received of an answer in one piece, and whether that is all."""
    received = bytearray()
    try:
        async for chunk in answer.content.iter_any():
            received += chunk
            if len(received) > MAX_BODY_BYTES:
                return bytes(received), False
    except aiohttp.ClientError:
        return bytes(received), False
    return bytes(received), True


async def _again(
    raw: bytes, answer: aiohttp.ClientResponse, *, complete: bool
) -> AsyncIterator[bytes]:
    """An answer that cannot be read, as it came."""
    if raw:
        yield raw
    if complete:
        return
    if answer.content.exception() is not None:
        raise broken_off()
    async for chunk in answer.content.iter_any():
        yield chunk


async def _error_of(answer: aiohttp.ClientResponse) -> dict[str, Any] | None:
    """What the server says of its refusal; None if it answers in events."""
    streams = answer.content_type == "text/event-stream"
    if answer.status < _AN_ERROR and streams and _is_plain(answer):
        return None
    raw, _ = await _read(answer)
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
    return answer.content_type != "text/event-stream" or _is_plain(answer)


class ToolLoops:
    """The loops of all APIs, which share what is known of models."""

    def __init__(self, engine: Engine, options: ToolOptions) -> None:
        self._engine = engine
        self._options = options
        self._refusing: Lru[str, str] = Lru(MODELS)

    def of(self, path: str) -> ToolLoop | None:
        """That of the API at this path; None if nothing is injected."""
        if not self._options.inject:
            return None
        rounds, refusing = self._options.rounds, self._refusing
        return ToolLoop(SHAPES[path], self._tools_of, rounds=rounds, refusing=refusing)

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
