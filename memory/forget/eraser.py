"""Erases rows with their history and turns: steps 2 and 3 of `forgetter.py`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from ..model.graph import Unlinked, Unlinks
from ..model.owner import owning_tenant
from ..model.ports import ConversationStore, HistoryLog, Tombstones, UsageCounters, VectorStore
from ..model.shares import Attachments, ShareKind
from ..model.types import MemoryItem, OwnerRef, Scope
from ..recall.index.entry import SaidPassage
from ..records.invalidation import InvalidationBus
from .buried import PAGE, pages
from .falling import mark_of
from .history import blank_texts, orphaned
from .receipt import Tally
from .targets import Ids, OfTenant, Target, evidence, is_version


@dataclass(frozen=True, slots=True)
class Eraser:
    """Removes rows, their history and counters, and the turns they came from.

    Raises StoreError, StateError.
    """

    store: VectorStore
    conversations: ConversationStore
    history: HistoryLog
    tombstones: Tombstones
    usage: UsageCounters
    attachments: Attachments
    bus: InvalidationBus = field(default_factory=InvalidationBus)
    """Told of rows that were erased."""
    links: Unlinks | None = None
    """Drops what they said of entities; None without a graph."""

    async def erase(
        self,
        target: Target,
        rows: Sequence[MemoryItem],
        tally: Tally,
        *,
        keep_turns_of: str | None = None,
    ) -> None:
        """Bury and erase the rows and the turns they came from, and count them in `tally`.

        Turns that rows of the batch `keep_turns_of` name are kept.
        """
        tenant = owning_tenant(target.owner_ref)
        await self.tombstone(tenant, [item.id for item in rows])
        heard = target.said.turns if isinstance(target, Ids) else frozenset()
        fell = target.fell if isinstance(target, Ids) else frozenset()
        own = [item for item in rows if item.id not in fell]
        told = sorted({*evidence(own, keep_turns_of), *heard})
        if isinstance(target, Ids):
            buried = told if target.meant else sorted(heard)
            await self.tombstone(tenant, [mark_of(turn) for turn in buried])
        for turns in pages(told, PAGE):
            tally.turns += await self.conversations.erase_turns(tenant, turns)
        tally.fell |= fell & {item.id for item in rows}
        named = target.ids if isinstance(target, Ids) else frozenset()
        await self.erase_rows(tenant, rows, tally, named=named)
        await self._erase_rest(target, tenant, tally)

    async def erase_turns(
        self, tenant: str, turn_ids: Sequence[str], said: Collection[SaidPassage]
    ) -> int:
        """Erase the texts of turns, and the counters of what was `said` in them; how many texts."""
        erased = 0
        for turns in pages(turn_ids, PAGE):
            erased += await self.conversations.erase_turns(tenant, turns)
        await self._erase_usage(tenant, {one.item.id for one in said})
        return erased

    async def _erase_rest(self, target: Target, tenant: str, tally: Tally) -> None:
        """Erase history and counters without rows. Last: only history may lead to some versions."""
        if isinstance(target, Ids):
            tally.history += await self.erase_history(tenant, target.ids)
            tally.usage += await self._erase_usage(tenant, target.ids | target.said.passages)
            await self._unlink(tenant, target.ids, tally)
            tally.ids |= target.said.passages
        elif isinstance(target, OfTenant):
            await self.attachments.erase(tenant)
            await self.usage.reset(tenant)
            await self.history.reset(tenant)
            await self.store.reset(tenant)
            await self._erase_links(tenant, tally)
        elif isinstance(target.owner_ref, Scope):
            await self.attachments.erase(target.owner_ref)
            tally.history += await self.history.erase_scope(target.owner_ref)
            await self._erase_links(target.owner_ref, tally)

    async def tombstone(self, tenant: str, ids: Sequence[str]) -> None:
        """Write tombstones, so that these memories are never written again."""
        for page in pages(ids, PAGE):
            await self.tombstones.add(tenant, page)

    async def erase_rows(
        self,
        tenant: str,
        rows: Sequence[MemoryItem],
        tally: Tally,
        *,
        named: Collection[str] = frozenset(),
    ) -> None:
        """Erase rows, their history and counters, versions first, because memories lead to them.

        Memories that are neither erased nor `named` stay; their history loses the versions' texts.
        """
        ids = {item.id for item in rows}
        if stay := orphaned(rows, ids.union(named)):
            tally.history += await blank_texts(self.history, self.tombstones, tenant, stay)
        tally.history += await self.erase_history(tenant, ids)
        tally.usage += await self._erase_usage(tenant, ids)
        if ids:
            await self.attachments.erase_items(tenant, ShareKind.MEMORY, sorted(ids))
        versions = [item.id for item in rows if is_version(item)]
        others = [item.id for item in rows if not is_version(item)]
        for page in (*pages(versions, PAGE), *pages(others, PAGE)):
            await self.store.delete(tenant, page)
        await self._unlink(tenant, ids, tally)
        for told in self.bus.erased:
            told(rows)
        new = ids - tally.ids
        tally.versions += len(new.intersection(versions))
        tally.memories += len(new.intersection(others))
        tally.ids |= new

    async def _unlink(self, tenant: str, ids: Collection[str], tally: Tally) -> None:
        if self.links is not None:
            for page in pages(sorted(ids), PAGE):
                _count(await self.links.unlink(tenant, page), tally)

    async def _erase_links(self, owner_ref: OwnerRef, tally: Tally) -> None:
        if self.links is not None:
            _count(await self.links.erase(owner_ref), tally)

    async def _erase_usage(self, tenant: str, ids: Collection[str]) -> int:
        erased = 0
        for page in pages(sorted(ids), PAGE):
            erased += await self.usage.erase(tenant, page)
        return erased

    async def erase_history(self, tenant: str, ids: Collection[str]) -> int:
        """Erase every record of these memories; returns how many."""
        erased = 0
        for page in pages(sorted(ids), PAGE):
            erased += await self.history.erase(tenant, page)
        return erased


def _count(unlinked: Unlinked, tally: Tally) -> None:
    tally.links += unlinked.memories
    tally.entities += unlinked.entities
