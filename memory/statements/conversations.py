"""Conversations whose turns are heard as they are recorded, and read again as they are erased."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime

from ..model.ports import ConversationStore
from ..model.types import OwnerRef, Recorded, Scope, Turn
from .recent import StatementCache


class IndexingConversations:
    """A `ConversationStore` that reads as another one does."""

    def __init__(
        self,
        inner: ConversationStore,
        cache: StatementCache,
        on_turn: Callable[[Turn], None],
        shown: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """`on_turn` is called with every recorded turn: quick, without IO.

        `shown`: wait for it, because the client's next request may go to another process.
        """
        self._shown = shown
        self._inner = inner
        self._cache = cache
        self._on_turn = on_turn
        self.unlearned, self.turns, self.thread = inner.unlearned, inner.turns, inner.thread
        self.mark_learned, self.give_up, self.annotate = (
            inner.mark_learned,
            inner.give_up,
            inner.annotate,
        )
        self.recent, self.named, self.recent_ids = inner.recent, inner.named, inner.recent_ids
        self.scopes, self.counts, self.pending = inner.scopes, inner.counts, inner.pending
        self.conversations, self.dates = inner.conversations, inner.dates
        self.conversation_turns, self.latest_turns = inner.conversation_turns, inner.latest_turns
        self.close = inner.close

    async def record(self, turn: Turn) -> Recorded:
        """Record it durably, and hear it."""
        recorded = await self._inner.record(turn)
        if recorded.erased:
            return recorded  # its client sent it again
        kept = replace(turn, seq=recorded.seq, before=None if recorded.alone else turn.before)
        self._on_turn(kept)
        if self._shown is not None:
            await self._shown()
        return recorded

    async def mark_remembered(
        self, scope: Scope, conversation_id: str, turn_ids: Collection[str]
    ) -> None:
        """As the other one; what was said is read again."""
        if turn_ids:
            await self._inner.mark_remembered(scope, conversation_id, turn_ids)
        await self._cache.stale(scope)

    async def erase(self, owner_ref: OwnerRef) -> int:
        """Erase all turns of an owner."""
        try:
            return await self._inner.erase(owner_ref)
        finally:
            self._cache.forget(owner_ref)

    async def erase_turns(self, tenant: str, turn_ids: Sequence[str]) -> int:
        """Erase the texts of turns."""
        try:
            return await self._inner.erase_turns(tenant, turn_ids)
        finally:
            self._cache.forget(tenant)

    async def prune(self, *, learned_before: datetime) -> int:
        """Erase the texts of old turns."""
        erased = await self._inner.prune(learned_before=learned_before)
        if erased:
            self._cache.clear()
        return erased
