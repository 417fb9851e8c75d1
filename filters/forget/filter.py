"""Passes on what a user asks to forget, and their answer whether it is meant."""

from __future__ import annotations

import asyncio

from recollect.memory.forget import ForgetAnswer, SpokenForgetting, SpokenMessage, Step
from recollect.memory.model.messages import TOOL_ROLES
from recollect.memory.util.lru import Lru

from ..base import RequestFilter
from ..exchange import Exchange, Outcome, Verdict, last_user_index
from ..inject.fence import Fence
from ..inject.places import injection
from ..turn_cache import TurnKey
from .notice import notice_of

MAX_KEPT = 2048
"""Turns whose result is kept for tool round-trips and retries."""
PLACEHOLDER = "[not kept: it asked to forget something]"
"""What is recorded of such a message, so that the conversation can be continued."""
_DONE = frozenset({Step.ERASED, Step.BEGUN, Step.LATE})
"""What a retry of the same message does not do again."""


class ForgetAsked(RequestFilter):
    """Ends the recall of a message that asks to forget something, with a notice for the model.

    Only the last message of the user is read, in their own words, and only if they may write.
    """

    name = "forget"

    def __init__(self, spoken: SpokenForgetting, fence: Fence) -> None:
        self._spoken = spoken
        self._fence = fence
        self._kept: Lru[TurnKey, ForgetAnswer] = Lru(MAX_KEPT)

    async def request(self, exchange: Exchange) -> None:
        if not self._concerns(exchange):
            return
        key = TurnKey(exchange.scope, exchange.turn_id)
        heard = self._kept.get(key)
        if heard is None or not (_continues(exchange) or heard.step in _DONE):
            heard = await self._spoken.hear(_said(exchange))
        if heard is None:
            return
        self._kept.put(key, heard)
        if exchange.granted is not None:
            exchange.granted.add_done_callback(lambda granted: self._undo(key, granted))
        if heard.step is not Step.UNSURE:
            exchange.unsaid = _kept(heard)
        exchange.notes["forget"] = heard.step.value
        placed = injection(exchange.messages, notice_of(heard, self._fence), exchange.place)
        if placed is not None:
            exchange.notice = exchange.injections = [placed]
            exchange.verdict = Verdict(Outcome.INJECTED, heard.step.value)

    def _undo(self, key: TurnKey, granted: asyncio.Future[bool]) -> None:
        """What the model server refused to hear was not done: the same message may ask again."""
        if granted.cancelled() or not granted.result():
            self._kept.drop(lambda kept: kept == key)

    def calls_out(self, exchange: Exchange) -> bool:
        return self._concerns(exchange)

    def _concerns(self, exchange: Exchange) -> bool:
        at = last_user_index(exchange.messages)
        if not exchange.may_forget or at is None:
            return False
        if _continues(exchange):
            return self._kept.get(TurnKey(exchange.scope, exchange.turn_id)) is not None
        return self._spoken.concerns(_said(exchange))


def _continues(exchange: Exchange) -> bool:
    return exchange.messages[-1].role in TOOL_ROLES


def _kept(heard: ForgetAnswer) -> str:
    """What is recorded of the message: nothing of an agreement."""
    if heard.step in {Step.PROPOSED, Step.UNMATCHED}:
        return heard.rest or PLACEHOLDER
    return ""


def _said(exchange: Exchange) -> SpokenMessage:
    """The message, with the turn before it as far as it is known."""
    heard = exchange.heard
    at = last_user_index(heard)
    assert at is not None  # noqa: S101 - the messages of the request have one
    earlier = heard[:at]
    request = next((m.content for m in reversed(earlier) if m.role == "user"), "")
    return SpokenMessage(
        scope=exchange.scope,
        text=heard[at].content,
        turn_id=exchange.turn_id,
        conversation_id=exchange.conversation_id,
        before=exchange.turns[-2] if len(exchange.turns) > 1 else "",
        request="" if request == PLACEHOLDER else request,
        answer=next((m.content for m in reversed(earlier) if m.role == "assistant"), ""),
        granted=exchange.granted,
    )
