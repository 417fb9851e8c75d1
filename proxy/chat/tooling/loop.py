"""Sends a chat with our tools, runs the calls, and sends again: the client gets one answer."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import aiohttp

from recollect.config.tools import ToolOptions
from recollect.filters import Exchange, Outcome
from recollect.memory import AsyncMemory
from recollect.memory.engine.engine import Engine
from recollect.memory.tools import ToolSet
from recollect.memory.util.untrusted_json import json_object

from ...dialects.transcript import decode, is_stream
from ...errors import ProxyError
from ...transport.headers import PLAIN
from ...transport.upstream_answer import UpstreamAnswer
from ..reader import ParsedRequest
from ..refusing_models import RefusingModels
from ..request_side import PreparedRequest
from .chat_rounds import ChatRounds
from .eligibility import why_not
from .merged import MergedAnswer
from .received import Received
from .responses_rounds import ResponsesRounds
from .rounds import OurNames, Round
from .running import ToolRunner
from .shapes import SHAPES, Shape, without_tools
from .splicing import appended

log = logging.getLogger(__name__)

Send = Callable[[bytes], Awaitable[UpstreamAnswer]]
ROUNDS = 4
"""How often the model may call injected tools for one answer; then it answers without them: to look
up, to look further, to write, and once more where a call was wrong."""
_AN_ERROR = 400
_EVENTS = "text/event-stream"


@dataclass(frozen=True, slots=True)
class Equipped:
    """A request with our tools."""

    exchange: Exchange
    data: bytes
    tools: ToolSet
    own: Any
    """The client's tools, as they came."""
    model: str


def loops_of(engine: Engine, options: ToolOptions, runner: ToolRunner) -> Mapping[str, ToolLoop]:
    """The loops by the paths of the APIs that tools are injected into."""
    models = RefusingModels()
    shapes = SHAPES if options.inject else {}
    return {
        path: ToolLoop(shape, engine, options, runner, models) for path, shape in shapes.items()
    }


class ToolLoop:
    """Injected tools for one API."""

    def __init__(
        self,
        shape: Shape,
        engine: Engine,
        options: ToolOptions,
        runner: ToolRunner,
        models: RefusingModels,
    ) -> None:
        """`models` are those whose server refuses tools; all APIs share it."""
        self._shape = shape
        self._engine = engine
        self._options = options
        self._runner = runner
        self._models = models

    def equipped(self, reading: ParsedRequest, prepared: PreparedRequest) -> Equipped | None:
        """The request with our tools; None if it takes none. Never raises for a client's body."""
        exchange, body = prepared.exchange, reading.body
        if exchange is None or exchange.is_side_request or prepared.verdict.outcome is Outcome.OFF:
            return None
        if not self._models.takes(body.model):
            exchange.notes["tools"] = "refused_by_upstream"
            return None
        tools = self._tools_of(exchange, prepared.writes)
        reason = why_not(body, tools.names) if tools.names else "none_offered"
        if reason is None:
            try:
                data = appended(prepared.data, "tools", self._shape.rendered(tools.tools))
            except (ValueError, IndexError, RecursionError):
                reason = "tools_unreadable"
            else:
                exchange.notes["tools"] = "injected"
                return Equipped(exchange, data, tools, body.fields.get("tools"), body.model)
        exchange.notes["tools"] = reason
        return None

    def refused(self, equipped: Equipped) -> None:
        """Note that the server of a model takes no tools: it took the same request without."""
        log.warning("the server of the model %s refuses tools: none are injected", equipped.model)
        self._models.note(equipped.model)

    async def answer(self, equipped: Equipped, first: UpstreamAnswer, send: Send) -> UpstreamAnswer:
        """The answer to the client, once our calls were answered; `first` is the upstream's.

        Raises ProxyError if the upstream does not answer any more.
        """
        rounds = _Rounds(self._shape, equipped, self._runner, send, most=ROUNDS)
        if first.content_type == _EVENTS:
            return MergedAnswer(first, rounds.labelled(first))
        return await rounds.whole(first, Received(first))

    def _tools_of(self, exchange: Exchange, writes: bool) -> ToolSet:
        scope, options = exchange.scope, self._options
        memory = AsyncMemory(self._engine, tenant=scope.tenant, only_user=scope.user_id)
        return memory.tools(
            **scope.ids(), names=options.names, validates=options.validates, read_only=not writes
        )


class _Rounds:
    """The rounds of one chat, until the model calls none of our tools any more."""

    def __init__(
        self, shape: Shape, equipped: Equipped, runner: ToolRunner, send: Send, *, most: int
    ) -> None:
        self._shape = shape
        self._equipped = equipped
        self._runner = runner
        self._send = send
        self._most = most
        self._names = OurNames(equipped.tools.names)
        self._data = equipped.data
        self._answered = 0

    async def labelled(self, answer: UpstreamAnswer) -> AsyncIterator[bytes]:
        """What is labelled as events, and may be an answer in one piece all the same."""
        received = Received(answer)
        if await received.is_stream(labelled=True):
            chunks = self.streamed(answer, received)
        else:
            chunks = (await self.whole(answer, received)).content.iter_any()
        async for chunk in chunks:
            yield chunk

    async def whole(self, answer: UpstreamAnswer, received: Received) -> UpstreamAnswer:
        """The answer in one piece, or a refusal of the upstream on the way to it."""
        merged = self._merged()
        while True:
            raw, complete = await received.whole()
            plain, _ = decode(raw, answer.headers.get("Content-Encoding", "").strip().lower())
            document = json_object(plain) if complete else None
            if document is None and complete and is_stream(plain, labelled=False):
                chunks = self.streamed(answer, Received(answer, plain))
                return MergedAnswer(answer, chunks, edited=plain is not raw)
            if document is None:
                return MergedAnswer(answer, received.unread(raw, self._equipped.tools.names))
            one = merged.read(document)
            if not self._goes_on(one):
                if (told := merged.whole(document)) is None:
                    return MergedAnswer.of_bytes(answer, raw)
                body = json.dumps(told, ensure_ascii=False).encode(errors="replace")
                return MergedAnswer.of_bytes(answer, body, edited=True)
            answer.close()
            merged.after(one)
            answer = await self._next(one)
            received = Received(answer)
            if answer.status >= _AN_ERROR:
                return answer

    async def streamed(self, answer: UpstreamAnswer, received: Received) -> AsyncIterator[bytes]:
        """The answer as it comes, one stream of all rounds."""
        merged, first = self._merged(), True
        try:
            while True:
                async for out in received.events(merged.take):
                    yield out
                one = merged.round()
                if not self._goes_on(one):
                    if out := b"".join(merged.last()):
                        yield out
                    if first and not one.ours(self._names):
                        async for out in received.rest():
                            yield out
                    return
                answer.close()
                first = False
                if out := merged.answered():
                    yield out
                try:
                    answer = await self._next(one)
                    received = Received(answer)
                    error = await _error_of(answer, received)
                except (ProxyError, aiohttp.ClientError) as failure:
                    told = failure.message if isinstance(failure, ProxyError) else "broke off"
                    error = _failure(told)
                if error is not None:
                    log.warning("the model server did not go on after a call of a tool: %s", error)
                    yield b"".join(merged.failed(error))
                    return
        finally:
            answer.close()

    def _merged(self) -> ChatRounds | ResponsesRounds:
        return self._shape(self._names, self._equipped.own)

    def _goes_on(self, one: Round) -> bool:
        """Whether the calls of a round are answered."""
        return bool(one.ours(self._names)) and not one.broken and self._answered < self._most

    async def _next(self, one: Round) -> UpstreamAnswer:
        """The answer to the request after a round, with what its calls answered."""
        self._answered += 1
        equipped = self._equipped
        results = await self._runner.results(equipped.exchange, equipped.tools, one.calls)
        self._data = self._shape.continued(self._data, one, results)
        if self._answered >= self._most:
            self._data = without_tools(self._data, equipped.own)
        return await self._send(self._data)


async def _error_of(answer: UpstreamAnswer, received: Received) -> Mapping[str, Any] | None:
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
    return _failure(f"the model server answered {answer.status}")


def _failure(message: str) -> Mapping[str, Any]:
    return {"message": message, "type": "upstream_error", "code": None}


def _is_plain(answer: UpstreamAnswer) -> bool:
    return answer.headers.get("Content-Encoding", "").strip().lower() in PLAIN


def is_readable(answer: UpstreamAnswer) -> bool:
    """Whether our calls in an answer can be found: what is packed is read in one piece only."""
    return answer.content_type != _EVENTS or _is_plain(answer)
