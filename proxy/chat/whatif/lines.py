"""The memories that a chat would be given, and the chat with some of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from recollect.filters import (
    Exchange,
    Fence,
    Place,
    RequestRecallOptions,
    TurnCache,
    Verdict,
    filters_before_recall,
)
from recollect.filters.inject import frame
from recollect.filters.inject.filter import injection
from recollect.filters.recall import Recall
from recollect.memory.blocks import GAP, BlockPrompt, render
from recollect.memory.model.ports import TokenCounter
from recollect.memory.model.types import MemoryItem, Scope
from recollect.memory.recall import Recaller

from ...dialects.body import RequestBody
from ..answer_manner import manner_of
from ..placing.places import ModelPlaces
from ..threads import thread_for

REFUSED = "refused_by_upstream"
"""The reason if the model server takes no memories at any place."""


@dataclass(frozen=True, slots=True)
class GivenLines:
    """What a chat would be given, best first, and why nothing, if nothing."""

    items: tuple[MemoryItem, ...]
    reason: str
    working: str = ""
    """The working blocks, which stand before all of them."""


class Lines:
    """Recalls as a chat does, apart from the model call of a rewrite; keeps and counts nothing."""

    def __init__(
        self,
        recaller: Recaller,
        tokens: TokenCounter,
        options: RequestRecallOptions,
        places: ModelPlaces,
        fence: Fence,
        pages: BlockPrompt,
    ) -> None:
        """`fence` is that of chats, so that the model sees the bytes that it would be sent."""
        self._recaller = recaller
        self._tokens = tokens
        self._options = options
        self._places = places
        self._fence = fence
        self._pages = pages

    async def recalled(self, scope: Scope, body: RequestBody) -> GivenLines:
        """What a chat of its own is given. Raises EmbeddingError, StoreError, StateError."""
        if self._places.choose(body.model) is None:
            return GivenLines((), REFUSED)
        with self._recaller.withholding.chat_with(body.model):
            found = await self._found(scope, body)
            return replace(found, working=(await self._pages.page(scope)).text)

    async def _found(self, scope: Scope, body: RequestBody) -> GivenLines:
        exchange = _exchange(scope, body)
        # Of its own: what chats keep of their turns stays as it is.
        kept = TurnCache()
        reserve = self._tokens.count(frame())
        for step in (
            *filters_before_recall(self._options, kept),
            Recall(self._recaller, kept, reserve_tokens=reserve),
        ):
            await step.request(exchange)
            if exchange.verdict is not None:
                return GivenLines((), exchange.verdict.reason)
        found = exchange.selection.chosen if exchange.selection is not None else ()
        return GivenLines(tuple(hit.item for hit in found), _reason(exchange, exchange.verdict))

    def body_with(self, body: RequestBody, items: Sequence[MemoryItem], working: str = "") -> bytes:
        """The body as a chat with these memories and blocks goes upstream. Raises NoPlaceError."""
        place = self._places.choose(body.model) or Place.USER
        lines = render(items, self._fence) if items else ""
        text = GAP.join(filter(None, (working, lines)))
        if not text:
            return body.raw
        block = injection(body.messages, text, place)
        return body.inject([block]) if block is not None else body.raw


def _exchange(scope: Scope, body: RequestBody) -> Exchange:
    messages = body.messages
    thread = thread_for(scope, None, messages, None, None)
    return Exchange(
        scope=scope,
        messages=messages,
        model=body.model,
        conversation_id=thread.conversation_id,
        turn_id=thread.turn_id,
        manner=manner_of(body, messages),
        turns=thread.turns,
        visible=frozenset(thread.turns),
    )


def _reason(exchange: Exchange, verdict: Verdict | None) -> str:
    return verdict.reason if verdict else exchange.notes.get("gate", "default")
