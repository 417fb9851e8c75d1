"""Keeps a write from bringing forgotten memories back. The other half of `forgetter.py`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from ..model.types import MemoryItem, Scope
from ..records.writing import InsidePorts
from .cascade import buried_by
from .passages import tombstone_of


@dataclass(frozen=True, slots=True)
class WriteGuard:
    """Tells a transaction what was forgotten since a batch of writes began.

    It is made by `Forgetter.guard` before anything is read that the batch depends on, and asked
    within the transaction that writes. All methods raise StateError.
    """

    scope: Scope
    epoch: tuple[int, ...]
    """The scope's epoch when the guard was made."""

    async def is_void(self, ports: InsidePorts) -> bool:
        """Whether the whole scope was forgotten since: then nothing of the batch is written.

        The caller returns its job to the queue, because later turns are still to be learned.
        """
        return await ports.state.tombstones.epoch(self.scope) != self.epoch

    async def refused(self, ports: InsidePorts, ids: Collection[str]) -> set[str]:
        """The ids that were forgotten and must not be written."""
        if not ids:
            return set()
        return await ports.state.tombstones.among(self.scope.tenant, sorted(ids))

    async def buried(
        self,
        ports: InsidePorts,
        items: Sequence[MemoryItem],
        *,
        asked: AbstractSet[str] = frozenset(),
        refused: AbstractSet[str] = frozenset(),
    ) -> set[str]:
        """The ids of those of these rows that name something that was forgotten.

        That is a turn, or a memory. `asked` are known already: of these the `refused` were.
        """
        named = {one for item in items for one in names(item)}
        buried = refused | await self.refused(ports, named - asked)
        return {item.id for item in items if not buried.isdisjoint(names(item))}


def names(item: MemoryItem) -> set[str]:
    """The ids whose tombstones forbid a row. Pure.

    Its id; for an earlier version, the id of its memory; the turns that it was learned from; what
    it stands on.
    """
    live = item.provenance.superseded_by
    own = {item.id} if live is None else {item.id, live}
    return own.union(map(tombstone_of, item.provenance.turn_ids), buried_by(item))
