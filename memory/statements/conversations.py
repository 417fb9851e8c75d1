"""Conversations whose turns are heard as they are recorded, and read again as they are erased."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from ..model.conversations import ConversationMark, ConversationSummary
from ..model.ports import ConversationStore
from ..model.types import OwnerRef, Recent, Recorded, Scope, Turn
from ..model.wide import TurnCounts
from .recent import StatementCache


class IndexingConversations:
    """Wraps another `ConversationStore`. Reads are passed on unchanged."""

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

    async def record(self, turn: Turn) -> Recorded:
        recorded = await self._inner.record(turn)
        if recorded.erased:
            return recorded  # its client sent it again
        kept = replace(turn, seq=recorded.seq, before=None if recorded.alone else turn.before)
        self._on_turn(kept)
        if self._shown is not None:
            await self._shown()
        return recorded

    async def unlearned(self, conversation_id: str, upto_seq: int) -> list[Turn]:
        return await self._inner.unlearned(conversation_id, upto_seq)

    async def turns(
        self, conversation_id: str, after_seq: int, upto_seq: int, *, learned_only: bool = False
    ) -> list[Turn]:
        return await self._inner.turns(
            conversation_id, after_seq, upto_seq, learned_only=learned_only
        )

    async def thread(self, scope: Scope, name: str, *, limit: int) -> list[Turn]:
        return await self._inner.thread(scope, name, limit=limit)

    async def mark_learned(
        self, conversation_id: str, upto_seq: int, *, after_seq: int | None = None
    ) -> None:
        await self._inner.mark_learned(conversation_id, upto_seq, after_seq=after_seq)

    async def give_up(self, conversation_id: str, after_seq: int, upto_seq: int) -> None:
        await self._inner.give_up(conversation_id, after_seq, upto_seq)

    async def recent(self, scope: Scope, *, limit: int) -> list[Recent]:
        return await self._inner.recent(scope, limit=limit)

    async def named(self, tenant: str, turn_ids: Sequence[str]) -> list[Recent]:
        return await self._inner.named(tenant, turn_ids)

    async def recent_ids(self, scope: Scope, *, limit: int) -> list[str]:
        return await self._inner.recent_ids(scope, limit=limit)

    async def scopes(self, owner_ref: OwnerRef | None) -> list[Scope]:
        return await self._inner.scopes(owner_ref)

    async def counts(self, owner_ref: OwnerRef) -> TurnCounts:
        return await self._inner.counts(owner_ref)

    async def conversations(
        self, scope: Scope, *, after: ConversationMark | None = None, limit: int
    ) -> Sequence[ConversationSummary]:
        return await self._inner.conversations(scope, after=after, limit=limit)

    async def conversation_turns(
        self, scope: Scope, conversation_id: str, *, after_seq: int = 0, limit: int
    ) -> Sequence[Turn]:
        return await self._inner.conversation_turns(
            scope, conversation_id, after_seq=after_seq, limit=limit
        )

    async def latest_turns(
        self, scope: Scope, conversation_id: str, *, limit: int
    ) -> Sequence[Turn]:
        return await self._inner.latest_turns(scope, conversation_id, limit=limit)

    async def dates(
        self, conversation_id: str, turn_ids: Sequence[str]
    ) -> dict[str, datetime | None]:
        return await self._inner.dates(conversation_id, turn_ids)

    async def annotate(self, notes: Mapping[str, Mapping[str, str]]) -> None:
        await self._inner.annotate(notes)

    async def mark_remembered(
        self, scope: Scope, conversation_id: str, turn_ids: Collection[str]
    ) -> None:
        if turn_ids:
            await self._inner.mark_remembered(scope, conversation_id, turn_ids)
        await self._cache.stale(scope)

    async def pending(self, *, idle_since: datetime | None, scope: Scope | None) -> list[Turn]:
        return await self._inner.pending(idle_since=idle_since, scope=scope)

    async def erase(self, owner_ref: OwnerRef) -> int:
        try:
            return await self._inner.erase(owner_ref)
        finally:
            self._cache.forget(owner_ref)

    async def erase_turns(self, tenant: str, turn_ids: Sequence[str]) -> int:
        try:
            return await self._inner.erase_turns(tenant, turn_ids)
        finally:
            self._cache.forget(tenant)

    async def prune(self, *, learned_before: datetime) -> int:
        erased = await self._inner.prune(learned_before=learned_before)
        if erased:
            self._cache.clear()
        return erased

    async def close(self) -> None:
        await self._inner.close()
