"""Passes on what a user asks to forget and whether it is meant, and tells the model about it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from recollect.memory.blocks import Fence, show
from recollect.memory.forget import ForgetAnswer, ForgettingByChat, SpokenMessage, Step
from recollect.memory.model.messages import TOOL_ROLES, left_out
from recollect.memory.model.types import MemoryItem
from recollect.memory.util.amounts import amount
from recollect.memory.util.lru import Lru

from .exchange import Exchange, Outcome, RequestFilter, Verdict, last_user_index
from .inject.filter import injection
from .turn_cache import TurnKey

MOST_LINES = 20
"""Lines that a proposal shows; of more, their number."""
_ASK = (
    "Name it and ask the user one short question: whether to forget it for good. In the user's "
    'language, ask for the answer "yes, forget it". Never say that it is forgotten already.'
)
_PART = (
    "Nothing else is erased. What they meant and is not in the list they can name in their answer."
)
_ALL = (
    "Say how much that is. Ask the user one short question: whether to forget all of it for good. "
    'In the user\'s language, ask for the answer "yes, forget everything". Never say that it is '
    "forgotten already."
)
_SAYS: Mapping[Step, str] = {
    Step.PROPOSED: "The user asks to forget this, which is stored. Nothing is erased yet.",
    Step.UNSURE: "The user was asked whether to forget this and did not clearly say yes. Nothing "
    "is erased yet. If the message is about something else, answer it and leave this.",
    Step.UNMATCHED: "The user asks to forget something, and nothing is stored that matches. Say "
    "so; nothing was erased.",
    Step.UNCLEAR: "The user asks to forget something, and it is not plain what is to go and what "
    "is to stay. Nothing was erased. Ask them to name what is to go.",
    Step.ERASED: "The user agreed, and what they asked to forget is erased from memory. Say that "
    "it is forgotten, without repeating it. It may still stand above in this conversation.",
    Step.BEGUN: "The user agreed, and what they asked to forget is being erased from memory. Say "
    "so, without repeating it. It may still stand above in this conversation.",
    Step.FAILED: "The user agreed, but it could not be erased now. Say so, and that it is tried "
    "again when they repeat their answer.",
    Step.LATE: "The user agreed to forget something, but that was too late, or it changed since. "
    "Nothing was erased. Say so, and that they can ask again.",
}
_AGAIN = (
    "The user agreed to forget everything that is known about them, and has not said so a second "
    "time. Nothing is erased yet. If the message is about something else, answer it and leave this."
)
_EVERYTHING = "Everything that is known about this user, from all conversations: {}.\n"


def notice_of(heard: ForgetAnswer, fence: Fence, shown: Sequence[MemoryItem] | None = None) -> str:
    """The whole message; the same step and items give the same bytes.

    `shown` are those of the items that the model may read; None: all.
    """
    shown = heard.items if shown is None else shown
    says = _SAYS[heard.step]
    if heard.step not in {Step.PROPOSED, Step.UNSURE}:
        return fence.around("", f"Notice about memory: {says}")
    lines = "".join(show(item).line for item in shown[:MOST_LINES])
    if heard.everything:
        count = amount(heard.count, "memory", "memories")
        lines = f"{_EVERYTHING.format(count)}Among them:\n{lines}"
        says = _AGAIN if heard.again else says
        return fence.around(lines, f"Notice about memory: {says} {_ALL}")
    if more := len(heard.items) - len(shown[:MOST_LINES]):
        lines += f"And {more} more.\n"
    return fence.around(lines, f"Notice about memory: {says} {_ASK} {_PART}")


MAX_KEPT = 2048
"""Turns whose result is kept for tool round-trips and retries."""
PLACEHOLDER = left_out("it asked to forget something")
"""What is recorded of such a message, so that the conversation can be continued."""
_DONE = frozenset({Step.ERASED, Step.BEGUN, Step.LATE})
"""What a retry of the same message does not do again."""


class ForgetAsked(RequestFilter):
    """Ends the recall of a message that asks to forget something, with a notice for the model.

    Only the last message of the user is read, in their own words, and only if they may write.
    """

    name = "forget"

    def __init__(self, spoken: ForgettingByChat, fence: Fence) -> None:
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
        shown: Sequence[MemoryItem] = heard.items
        if exchange.destination is not None:
            shown = await self._spoken.readable(heard.items)
        self._note(exchange, heard, shown)

    def _note(self, exchange: Exchange, heard: ForgetAnswer, shown: Sequence[MemoryItem]) -> None:
        """Tell the exchange what came of it, and the model."""
        if heard.step is not Step.UNSURE:
            exchange.unsaid = _kept(heard)
        exchange.notes["forget"] = heard.step.value
        told = notice_of(heard, self._fence, shown)
        placed = injection(exchange.messages, told, exchange.place)
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
        if exchange.concerns_forgetting is None:
            exchange.concerns_forgetting = self._looked(exchange)
        return exchange.concerns_forgetting

    def _looked(self, exchange: Exchange) -> bool:
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
    if heard.step in {Step.PROPOSED, Step.UNMATCHED, Step.UNCLEAR}:
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
        personal=not exchange.wishes_only and exchange.only is None,
        granted=exchange.granted,
    )
