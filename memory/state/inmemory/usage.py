"""How often memories were used, in dictionaries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from ...model.usage import UNUSED, Usage, UseKind
from .conversations import InMemoryConversations
from .tombstones import InMemoryTombstones


class _Occasion(NamedTuple):
    tenant: str
    memory_id: str
    use: UseKind
    name: str


class InMemoryUsage:
    """`UsageCounters` that live as long as the process."""

    def __init__(
        self, conversations: InMemoryConversations, tombstones: InMemoryTombstones
    ) -> None:
        self._conversations = conversations
        self._tombstones = tombstones
        self._counters: dict[tuple[str, str], Usage] = {}
        self._occasions: dict[_Occasion, datetime] = {}

    async def count(
        self, tenant: str, use: UseKind, memory_ids: Sequence[str], *, occasion: str, at: datetime
    ) -> None:
        buried = await self._tombstones.buried(tenant, memory_ids)
        for memory_id in memory_ids:
            once = _Occasion(tenant, memory_id, use, occasion)
            if memory_id in buried or once in self._occasions:
                continue
            self._occasions[once] = at
            before = self._counters.get((tenant, memory_id), UNUSED)
            self._counters[tenant, memory_id] = _counted(before, use, at)

    async def settle(self, *, limit: int = 100) -> int:
        taken = self._conversations.take_uncounted(limit)
        for turn, ids in taken:
            await self.count(
                turn.scope.tenant, UseKind.RECALLED, ids, occasion=turn.id, at=turn.created_at
            )
        return len(taken)

    async def of(self, tenant: str, memory_ids: Sequence[str]) -> dict[str, Usage]:
        found = {each: self._counters.get((tenant, each)) for each in memory_ids}
        return {memory_id: usage for memory_id, usage in found.items() if usage is not None}

    async def erase(self, tenant: str, memory_ids: Sequence[str]) -> int:
        named = {(tenant, memory_id) for memory_id in memory_ids}
        return self._remove(lambda key: key in named)

    async def reset(self, tenant: str) -> None:
        self._remove(lambda key: key[0] == tenant)

    async def prune(self, *, before: datetime) -> None:
        self._occasions = {
            once: at
            for once, at in self._occasions.items()
            if at >= before or self._conversations.may_be_told_again(once.name)
        }

    def _remove(self, meant: Callable[[tuple[str, str]], bool]) -> int:
        gone = [key for key in self._counters if meant(key)]
        for key in gone:
            del self._counters[key]
        kept = self._occasions.items()
        self._occasions = {once: at for once, at in kept if not meant(once[:2])}
        return len(gone)


def _counted(before: Usage, use: UseKind, at: datetime) -> Usage:
    match use:
        case UseKind.RECALLED:
            last = before.last_recalled
            latest = at if last is None else max(at, last)
            return replace(before, recalled=before.recalled + 1, last_recalled=latest)
        case UseKind.CONFIRMED:
            return replace(before, confirmed=before.confirmed + 1)
        case UseKind.CORRECTED:
            return replace(before, corrected=before.corrected + 1)
        case UseKind.POSITIVE:
            return replace(before, positive=before.positive + 1)
        case UseKind.NEGATIVE:
            return replace(before, negative=before.negative + 1)
