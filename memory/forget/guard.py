"""Keeps a write from bringing forgotten memories back. The other half of `forgetter.py`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from ..model.types import MemoryItem, Scope
from .buried import PAGE, buried_among, pages
from .eraser import Eraser
from .falling import stands_on
from .passages import Turns
from .receipt import Tally
from .targets import Ids, Named


@dataclass(frozen=True, slots=True)
class WriteGuard:
    """Guards one batch of writes to a scope; made by `Forgetter.guard`.

        guard = await forgetter.guard(...)      before reading anything that the batch depends on
        ... read turns and memories, decide, save the checkpoint ...
        refused = await guard.refused(ids)      leave these out
        ... append history, put rows ...
        await guard.settle(items)               remove rows that were forgotten since the first line

    A job saves its checkpoint between the first two, even an existing one: saving fails if the job
    was cancelled. All methods raise StateError and StoreError; repeat the batch to complete it.
    """

    scope: Scope
    batch: str | None
    """The job or call that writes (`Provenance.batch`)."""
    epoch: tuple[int, ...]
    """The scope's epoch when the guard was made."""
    eraser: Eraser
    about: set[str] = field(default_factory=set)
    """The memories that `refused` was asked about, for `settle`."""

    async def refused(self, ids: Sequence[str]) -> set[str]:
        """The ids among `ids` that were forgotten and must not be written.

        Rows that an earlier, crashed run of this batch left of them are removed.
        """
        self.about.update(ids)
        buried = await self._among(self.about)
        if buried:
            await self._remove(buried)
        return buried.intersection(ids)

    async def settle(self, written: Sequence[MemoryItem]) -> set[str]:
        """Remove rows that were forgotten since the guard was made; returns their ids.

        `written` are the rows that were put. The earlier versions of a removed memory are removed
        too, and the history of every memory that `refused` was asked about, because it may have
        been written without a row. If the whole scope was forgotten, all rows are removed. The
        caller then returns its job to the queue, because later turns are still to be learned.
        """
        rows = await buried_among(self.eraser.tombstones, written)
        gone = {item.id for item in rows}
        lives = {i.provenance.superseded_by or i.id: i for i in rows}
        # What only stands on something that was forgotten takes nothing else with it.
        fell = {one for one, item in lives.items() if stands_on(item)}
        fell -= await self._among(fell)
        buried = await self._among(self.about) | lives.keys() - fell
        if buried:
            await self._remove(buried)
        if fell:
            await self._remove(fell, fell=True)
        if await self.eraser.tombstones.epoch(self.scope) != self.epoch:
            gone = {item.id for item in written}
            await self.eraser.erase_rows(self.scope.tenant, written, Tally())
            await self.eraser.erase_history(self.scope.tenant, gone | self.about)
        if gone:
            await self.eraser.bus.announce_each(self.scope, gone)
        return gone

    async def withdraw(self, ids: Collection[str]) -> None:
        """Erase memories that this batch made of others that were forgotten since."""
        await self._remove(ids, fell=True)

    async def _among(self, ids: Collection[str]) -> set[str]:
        """Those of these memories that were forgotten by their own ids."""
        found: set[str] = set()
        for page in pages(sorted(ids), PAGE):
            found |= await self.eraser.tombstones.among(self.scope.tenant, page)
        return found

    async def _remove(self, ids: Collection[str], *, fell: bool = False) -> None:
        """Erase as a forget does: it may have missed these memories.

        The turns of this batch are kept: other memories follow from them.
        """
        target = Ids(
            self.eraser.store,
            self.scope.tenant,
            sorted(ids),
            history=self.eraser.history,
            said=Turns(scopes=frozenset({self.scope})),
            why=Named.FELL if fell else Named.FOUND,
        )
        rows = await target.rows()
        await self.eraser.erase(target, rows, Tally(), keep_turns_of=self.batch)
        await self.eraser.bus.announce_each(self.scope, target.ids | target.found)
