"""Conversations whose turns are heard as they are recorded, and read again as they are erased."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime

from ..database.conversations import SqlConversations
from ..model.types import OwnerRef, Recorded, Scope, Turn
from .statement_cache import Epoch, StatementCache


class IndexingConversations(SqlConversations):
    """The conversations of a database, as all write them."""

    def __init__(
        self,
        inner: SqlConversations,
        cache: StatementCache,
        on_turn: Callable[[Turn, Epoch], None],
        shown: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """`on_turn` is called with every recorded turn: quick, without IO.

        It gets the epoch of before: what is forgotten while it is being recorded is not shown.

        `shown`: wait for it, because the client's next request may go to another process.
        """
        super().__init__(inner.scripts)
        self._shown = shown
        self._cache = cache
        self._on_turn = on_turn

    async def record(self, turn: Turn) -> Recorded:
        """Record it durably, and hear it."""
        epoch = self._cache.epoch(turn.scope)
        recorded = await super().record(turn)
        if recorded.erased or recorded.is_noted:
            return recorded  # its client sent it again
        kept = replace(turn, seq=recorded.seq, before=None if recorded.alone else turn.before)
        self._on_turn(kept, epoch)
        if self._shown is not None:
            await self._shown()
        return recorded

    async def mark_remembered(
        self, scope: Scope, conversation_id: str, turn_ids: Collection[str]
    ) -> None:
        """As the other one; what was said is read again."""
        if turn_ids:
            await super().mark_remembered(scope, conversation_id, turn_ids)
        await self._cache.stale(scope)

    async def erase(self, owner_ref: OwnerRef) -> int:
        """Erase all turns of an owner."""
        try:
            return await super().erase(owner_ref)
        finally:
            self._cache.forget(owner_ref)

    async def erase_turns(self, tenant: str, turn_ids: Sequence[str]) -> int:
        """Erase the texts of turns."""
        try:
            return await super().erase_turns(tenant, turn_ids)
        finally:
            self._cache.forget(tenant)

    async def prune(self, *, learned_before: datetime) -> int:
        """Erase the texts of old turns."""
        erased = await super().prune(learned_before=learned_before)
        if erased:
            self._cache.clear()
        return erased
