"""The filter for requests that a client makes about a turn, and the last turns, which tell them."""

from __future__ import annotations

import time
import weakref
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from recollect.memory.model.types import Scope
from recollect.memory.util.lru import Lru

from ..exchange import Answer, Exchange, Outcome, RequestFilter, Verdict, turn_text
from ..turn_cache import concerns
from .signs import OPENING, Ends, Told, block_of, is_side_request, signs_of

MAX_SCOPES = 2048
"""With `MAX_TURNS` turns of 600 characters at most each: 10 MB."""
MAX_TURNS = 8
KEPT_SECONDS = 600.0
"""A summary may be asked for when the user comes back; later a turn tells nothing."""
FRESH_SECONDS = 60.0
"""A title asked for at once may wait in the client for other requests."""
MOMENT_SECONDS = 3.0
"""Nobody reads an answer and writes a message in this time."""


@dataclass(slots=True)
class _Noted:
    told: Told
    touched: float
    exchange: Callable[[], Exchange | None]
    """The request that began it, as long as it is there; None for a turn of another process."""


class LastTurns:
    """The last turns by scope; a scope finds only its own."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` gives seconds."""
        self._clock = clock
        self._turns: Lru[Scope, deque[_Noted]] = Lru(MAX_SCOPES)
        self.also: Callable[[Scope, Told], None] | None = None
        """Told of every turn that is answered here, for other processes."""

    def tell(self, exchange: Exchange) -> bool:
        """Whether the request is about one of these turns. Quick, without IO."""
        now = self._clock()
        turns = self._of(exchange.scope, now)
        text = block_of(exchange.messages) if turns else ""
        return any(_about(exchange, text, noted, now) for noted in turns)

    def note(self, exchange: Exchange) -> None:
        """Remember the turn that a request begins or goes on with.

        A request under way that turns out to be about it (a client may ask for the title first) is
        marked.
        """
        now = self._clock()
        turns = self._kept(exchange.scope)
        noted = _find(turns, exchange.turn_id)
        if noted is not None:
            noted.touched, noted.told.manner = now, exchange.manner
            return
        text = turn_text(exchange.messages, "")
        if not text:
            return
        opening = block_of(exchange.messages)[:OPENING]
        told = Told(exchange.turn_id, Ends.of(text), opening, exchange.manner)
        noted = _Noted(told, now, weakref.ref(exchange))
        for other in [each for each in turns if now - each.touched <= MOMENT_SECONDS]:
            first = other.exchange()
            if first is None or other.told.answer is not None:
                continue
            if _about(first, block_of(first.messages), noted, now):
                first.is_side_request = True
                turns.remove(other)
        turns.append(noted)

    def drop(self, exchange: Exchange) -> None:
        """Forget a request that turned out to be no turn."""
        turns = self._turns.get(exchange.scope)
        if turns and (noted := _find(turns, exchange.turn_id)) is not None:
            turns.remove(noted)

    def answered(self, exchange: Exchange, answer: Answer) -> None:
        """Remember the answer of a turn."""
        noted = _find(self._turns.get(exchange.scope) or (), exchange.turn_id)
        if noted is not None and answer.text:
            noted.told.answer, noted.touched = Ends.of(answer.text), self._clock()
            if self.also is not None:
                self.also(exchange.scope, noted.told)

    def heard(self, scope: Scope, told: Told) -> None:
        """Remember a turn that another process answered."""
        turns = self._kept(scope)
        if (known := _find(turns, told.turn_id)) is not None:
            turns.remove(known)
        turns.append(_Noted(told, self._clock(), lambda: None))

    def forget(self, owner_ref: Scope | str) -> None:
        """Forget the turns of a scope or a tenant."""
        self._turns.drop(lambda scope: concerns(owner_ref, scope))

    def clear(self) -> None:
        """Forget everything."""
        self._turns.drop(lambda _: True)

    def _kept(self, scope: Scope) -> deque[_Noted]:
        turns = self._turns.get(scope)
        if turns is None:
            turns = deque(maxlen=MAX_TURNS)
            self._turns.put(scope, turns)
        return turns

    def _of(self, scope: Scope, now: float) -> list[_Noted]:
        """The turns of a scope that count, newest first."""
        turns = self._turns.get(scope) or ()
        return [each for each in reversed(turns) if now - each.touched <= KEPT_SECONDS]


def _find(turns: deque[_Noted] | tuple[()], turn_id: str) -> _Noted | None:
    return next((each for each in turns if each.told.turn_id == turn_id), None)


def _about(exchange: Exchange, text: str, noted: _Noted, now: float) -> bool:
    age = now - noted.touched
    moment = age <= MOMENT_SECONDS
    if not moment and exchange.manner == noted.told.manner:
        return False
    signs = signs_of(exchange.manner, noted.told.manner, moment=moment)
    return is_side_request(exchange, text, noted.told, signs, fresh=age <= FRESH_SECONDS)


REASON = "side_request"
"""The reason word of a request that a client makes about a turn."""


class SideRequests(RequestFilter):
    """Skips what `LastTurns` told: nothing is searched for and nothing is injected."""

    name = "side_requests"

    async def request(self, exchange: Exchange) -> None:
        if exchange.is_side_request:
            exchange.verdict = Verdict(Outcome.SKIPPED, REASON)
