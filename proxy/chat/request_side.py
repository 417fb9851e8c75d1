"""The request side of an exchange: who calls, what is recalled, what goes upstream."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from aiohttp import web
from multidict import CIMultiDict

from recollect.filters import Exchange, Outcome, Place, Verdict
from recollect.filters.exchange import last_user_index
from recollect.memory.model.types import Scope, Turn
from recollect.memory.recall import Withholding
from recollect.memory.util.destinations import Destination

from ..access.access import Access
from ..access.identity import Caller
from ..access.shared_default import SharedDefault
from ..access.speakers import with_names
from ..dialects.body import NoPlaceError, RequestBody
from ..transport.headers import (
    DECODABLE,
    describe_edited_body,
    forwarded_request_headers,
    readable_encodings,
)
from .answer_manner import manner_of
from .chains import may_repeat, repeated
from .pipeline import Pipeline
from .placing.places import ModelPlaces
from .reader import ParsedRequest
from .threads import MAX_TURNS, Thread, Threads, messages_of, thread_for, thread_of

REFUSED = Verdict(Outcome.DEGRADED, "refused_by_upstream")
"""The model server refuses what memory adds."""
NO_PLACE = Verdict(Outcome.DEGRADED, "no_place")
"""No message of the request can take a block: the last user message has no content."""
MOST_EARLIER = 5
"""Newest turns that are read of a conversation that the upstream keeps, and that it keeps even if
it may leave some out."""
MOST_UNKNOWN = 32
"""The same of one that this process does not know: which turns it has is read from them."""
_AN_ERROR = 400


@dataclass(frozen=True, slots=True)
class PreparedRequest:
    """A request that is prepared to go upstream, with its memory verdict."""

    exchange: Exchange | None
    verdict: Verdict
    learns: bool
    data: bytes
    headers: CIMultiDict[str]
    recall_seconds: float = 0.0
    place: Place | None = None
    """Where memory changed the request; None if it did not."""
    writes: bool = False
    """Whether the caller may write memories."""
    compressed: bool = False
    """Whether old turns were taken out of the request that was sent first."""


class RequestSide:
    """Prepares requests for the upstream."""

    def __init__(
        self,
        access: Access,
        threads: Threads,
        pipeline: Pipeline,
        shared: SharedDefault,
        places: ModelPlaces,
        withholding: Withholding,
    ) -> None:
        """`withholding` tells what may go to its upstream."""
        self._upstream = withholding.upstream
        self._withholding = withholding
        self._access = access
        self._places = places
        self._shared = shared
        self._threads = threads
        self._pipeline = pipeline

    async def prepare(self, request: web.Request, reading: ParsedRequest) -> PreparedRequest:
        """Identify the caller, recall, and build the outgoing request."""
        caller = self._access.caller(
            request.headers,
            reading.body,
            reading.messages,
            request.remote,
            request.rel_url.raw_query_string,
        )
        await self._pipeline.bounds.turns(caller.scope or request.remote)
        begin = time.perf_counter()
        place = self._places.choose(reading.body.model)
        exchange, repeats = await self._exchange(reading, caller, place or Place.USER)
        learns = exchange is not None and await self._learns(request, reading, caller, exchange)
        spent = time.perf_counter() - begin
        verdict = await self._recall(exchange, caller, place, spent=spent)
        seconds = time.perf_counter() - begin
        sent = reading if repeats is None else _as_sent(reading, repeats, exchange)
        try:
            data, headers = _outgoing(request, sent, exchange, learns=learns)
        except NoPlaceError:
            verdict = NO_PLACE
            data, headers = _outgoing(request, reading, None, learns=learns)
            _withdraw(exchange)
        return PreparedRequest(
            exchange,
            verdict,
            learns,
            data,
            headers,
            seconds,
            _place_in(exchange),
            caller.use.writes and (exchange is None or self._may_learn(exchange)),
            exchange is not None and exchange.compressed is not None,
        )

    async def _learns(
        self, request: web.Request, reading: ParsedRequest, caller: Caller, exchange: Exchange
    ) -> bool:
        """Note what else is known of an exchange; whether its turn is learned."""
        exchange.zone = self._access.zones.of_chat(request.headers, reading.body)
        if not caller.named:
            self._shared.note(exchange, request.headers, request.remote)
        learns = self._pipeline.learns and caller.use.writes and self._may_learn(exchange)
        await self._pipeline.notice(exchange, learns=learns)
        return learns and not exchange.is_side_request

    def _may_learn(self, exchange: Exchange) -> bool:
        to = exchange.destination
        return to is None or self._withholding.learns(exchange.scope, to)

    def _destination(self, body: RequestBody) -> Destination | None:
        """Where a request goes, if there is a policy."""
        return Destination(self._upstream, body.model) if self._withholding.active else None

    async def _recorded(
        self, scope: Scope, body: RequestBody, previous: str, most: int
    ) -> list[Turn]:
        """The newest recorded turns that a request continues, of those that may go with it."""
        recorded = await self._pipeline.thread(scope, previous, limit=most)
        to = self._destination(body)
        return recorded if to is None else await self._withholding.admitted(recorded, [to])

    def as_it_came(
        self, request: web.Request, reading: ParsedRequest, prepared: PreparedRequest
    ) -> PreparedRequest:
        """The same request without memories, to be sent after the server refused it with them."""
        _withdraw(prepared.exchange)
        data, headers = _outgoing(request, reading, None, learns=prepared.learns)
        return replace(prepared, verdict=REFUSED, data=data, headers=headers, place=None)

    def took(self, prepared: PreparedRequest, status: int, *, refused: int | None = None) -> None:
        """Note what the model server answered to a request that memory changed.

        `refused` is the status of its first answer, if `status` is that to the request as it came.
        """
        if prepared.exchange is None or prepared.place is None or status >= _AN_ERROR:
            return
        compressing = self._pipeline.compressing
        if refused is not None and prepared.compressed and compressing is not None:
            compressing.refused(prepared.exchange.model, refused)
        elif refused is None:
            self._places.accepted(prepared.exchange.model, prepared.place)
        else:
            self._places.refused(prepared.exchange.model, prepared.place, refused)

    async def _exchange(
        self, reading: ParsedRequest, caller: Caller, place: Place
    ) -> tuple[Exchange | None, ParsedRequest | None]:
        """What the filters see, and the request that repeats the conversation it continues."""
        scope, body = caller.scope, reading.body
        if scope is None:
            return None, None
        messages = with_names(reading.messages) if caller.shared else reading.messages
        previous = body.previous_response or body.conversation
        parent, earlier = None, []
        if previous:
            if caller.shared and last_user_index(messages) is None:
                # The results of tools say nothing of who asked.
                scope = self._threads.speaker(scope, previous)
            # Of a turn that goes on, this process knows more than was recorded.
            parent = self._threads.find(scope, previous)
            most = MOST_EARLIER if parent else MOST_UNKNOWN
            recorded = await self._recorded(scope, body, previous, most)
            parent = parent or thread_of(recorded)
            earlier = recorded[-MOST_EARLIER:]
        thread = thread_for(scope, caller.session, messages, previous, parent)
        known = self._understood(body, previous)
        repeats = None
        if messages is reading.messages:  # nobody is named in it: all of the chain is one person's
            repeats = await self._repeats(scope, reading, previous, thread)
        if repeats is not None:
            messages, earlier, known = repeats.messages, [], repeats.body.understood
            thread = replace(thread, shown=frozenset())
        exchange = Exchange(
            scope=scope,
            messages=messages,
            model=body.model,
            place=place,
            conversation_id=thread.conversation_id,
            turn_id=thread.turn_id,
            asked=thread.asked,
            shown=thread.shown,
            may_forget=caller.use.writes,
            granted=self._to_be_granted(scope),
            earlier=messages_of(earlier),
            earlier_turns=[turn.id for turn in earlier if turn.user_text],
            manner=manner_of(body, reading.messages),
            instructions=body.text_field("instructions") or "",
            upstream=self._upstream,
            destination=self._destination(body),
            policy_changes=self._withholding.changes,
            upstream_id=body.conversation or "",
            turns=thread.turns,
            visible=self._visible(thread, body),
            understood=known,
        )
        return exchange, repeats

    async def _repeats(
        self, scope: Scope, reading: ParsedRequest, previous: str | None, thread: Thread
    ) -> ParsedRequest | None:
        """The request with its whole conversation, if old turns of it may be taken out."""
        compressing, body = self._pipeline.compressing, reading.body
        if compressing is None or previous is None or not compressing.takes(body.model):
            return None
        if not may_repeat(body, thread.turns):
            return None
        recorded = await self._recorded(scope, body, previous, MAX_TURNS)
        return repeated(reading, recorded, thread.turns)

    def _understood(
        self, body: RequestBody, previous: str | None
    ) -> Callable[[], Sequence[bool]] | None:
        """What tells which messages may be taken out; None if none may."""
        compressing = self._pipeline.compressing
        if compressing is None or previous or not compressing.takes(body.model):
            return None
        return body.understood

    def _to_be_granted(self, scope: Scope) -> asyncio.Future[bool] | None:
        proven = self._access.is_proven(scope.tenant)
        return None if proven else asyncio.get_running_loop().create_future()

    def _visible(self, thread: Thread, body: RequestBody) -> frozenset[str]:
        """The turns that the model sees for sure: old ones may be gone from a kept chain."""
        compresses = self._pipeline.compressing is not None and may_repeat(body, thread.turns)
        some = body.may_be_shortened or compresses
        return frozenset(thread.turns[-MOST_EARLIER:] if some else thread.turns)

    async def _recall(
        self, exchange: Exchange | None, caller: Caller, place: Place | None, *, spent: float
    ) -> Verdict:
        if exchange is None:
            return Verdict(Outcome.OFF, caller.reason)
        if not self._pipeline.recalls:
            return Verdict(Outcome.OFF, self._pipeline.why_off)
        if not caller.use.reads:
            return Verdict(Outcome.OFF, "off_by_header")
        if place is None:
            return REFUSED
        return await self._pipeline.recall(exchange, spent=spent)


def _place_in(exchange: Exchange | None) -> Place | None:
    if exchange is None or not exchange.injections:
        return Place.USER if exchange is not None and exchange.compressed else None
    # An extract of old turns comes first and has one place only.
    return exchange.injections[-1].place


def _as_sent(
    reading: ParsedRequest, repeats: ParsedRequest, exchange: Exchange | None
) -> ParsedRequest:
    """The request that repeats its conversation, if old turns go; else the client's own."""
    if exchange is None or exchange.compressed:
        return repeats
    more = len(repeats.messages) - len(reading.messages)
    own = [one for one in exchange.injections if one.index >= more]
    exchange.injections = [replace(one, index=one.index - more) for one in own]
    return reading


def _withdraw(exchange: Exchange | None) -> None:
    """The model sees none of the memories that were chosen for it."""
    if exchange is not None:
        exchange.injections, exchange.injected, exchange.compressed = (), frozenset(), None


def _outgoing(
    request: web.Request, reading: ParsedRequest, exchange: Exchange | None, *, learns: bool
) -> tuple[bytes, CIMultiDict[str]]:
    """Body and headers for the upstream: the client's own bytes, unless memory changed them."""
    headers = forwarded_request_headers(request.raw_headers)
    data = reading.raw
    if exchange is not None and (exchange.injections or exchange.compressed):
        without = exchange.compressed.without if exchange.compressed else ()
        data = reading.body.inject(exchange.injections, without)
        describe_edited_body(headers)
    headers["Content-Length"] = str(len(data))
    accept = headers.get("Accept-Encoding")
    if learns and accept is not None:
        headers["Accept-Encoding"] = readable_encodings(accept, DECODABLE)
    return data, headers
