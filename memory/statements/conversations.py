"""A conversation store that passes every change on to what is said."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime

from ..model.ports import ConversationStore
from ..model.types import OwnerRef, Recent, Recorded, Scope, Turn
from .shelves import SaidShelves


class HeardConversations:
    """Wraps another `ConversationStore`. Reads are passed on unchanged."""

    def __init__(
        self, inner: ConversationStore, shelves: SaidShelves, on_turn: Callable[[Turn, bool], None]
    ) -> None:
        """`on_turn` is called with every recorded turn, and whether it begins a conversation.

        Quick, without IO.
        """
        self._inner = inner
        self._shelves = shelves
        self._on_turn = on_turn

    async def record(self, turn: Turn) -> Recorded:
        recorded = await self._inner.record(turn)
        self._on_turn(turn, recorded.seq == 1)
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

    async def scopes(self, whose: OwnerRef | None) -> list[Scope]:
        return await self._inner.scopes(whose)

    async def annotate(self, conversation_id: str, notes: Mapping[str, str]) -> None:
        await self._inner.annotate(conversation_id, notes)

    async def mark_remembered(
        self, scope: Scope, conversation_id: str, turn_ids: Collection[str]
    ) -> None:
        await self._inner.mark_remembered(scope, conversation_id, turn_ids)
        await self._shelves.stale(scope)

    async def pending(self, *, idle_since: datetime | None, scope: Scope | None) -> list[Turn]:
        return await self._inner.pending(idle_since=idle_since, scope=scope)

    async def erase(self, whose: OwnerRef) -> int:
        try:
            return await self._inner.erase(whose)
        finally:
            self._shelves.forget(whose)

    async def erase_turns(self, tenant: str, turn_ids: Sequence[str]) -> int:
        try:
            return await self._inner.erase_turns(tenant, turn_ids)
        finally:
            self._shelves.forget(tenant)

    async def prune(self, *, learned_before: datetime) -> int:
        erased = await self._inner.prune(learned_before=learned_before)
        if erased:
            self._shelves.clear()
        return erased

    async def close(self) -> None:
        await self._inner.close()
