"""How a write makes sure that it brings nothing back. The other half of `forgetter.py`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field

from ..types import MemoryItem, Scope
from .buried import PAGE, buried_among, pages
from .eraser import Eraser
from .receipt import Tally
from .targets import Ids

Tell = Callable[[Scope, Collection[str]], Awaitable[None]]
"""Tells every cache that these memories of a scope are gone."""


@dataclass(frozen=True, slots=True)
class WriteGuard:
    """Stands around one batch of writes to a scope; `Forgetter.guard` makes one.

        guard = await forgetter.guard(...)      before reading anything that the batch follows from
        ... read turns and memories, decide, save the checkpoint ...
        refused = await guard.refused(ids)      leave these out
        ... append history, put rows ...
        await guard.settle(items)               what was forgotten meanwhile is removed again

    A job saves its checkpoint between the first two even if it had one: that fails once the job was
    cancelled. All raise StateError and StoreError; the batch done again completes it.
    """

    scope: Scope
    batch: str | None
    """The job or call that writes (`Provenance.batch`)."""
    epoch: tuple[int, ...]
    """The scope's, when it began."""
    eraser: Eraser
    tell: Tell
    about: set[str] = field(default_factory=set)
    """The memories that the batch was asked about, for `settle`."""

    async def refused(self, ids: Sequence[str]) -> set[str]:
        """Those of the memories a batch is about that must not be written: they were forgotten.

        Whatever an earlier run of this batch, that died before it settled, left of them goes.
        """
        self.about.update(ids)
        buried = await self._buried()
        if buried:
            await self._remove(buried)
        return buried.intersection(ids)

    async def settle(self, written: Sequence[MemoryItem]) -> set[str]:
        """Remove what was forgotten since the guard was made; the ids of the rows that went.

        `written` are the rows that were put. With a memory go its earlier versions, and the history
        of every memory that `refused` was asked about, which may have been written without a row.
        If the whole scope was forgotten, all of it goes; a job is given back then and not ended:
        what was said since is still to be learned, and of the rest nothing is left.
        """
        rows = await buried_among(self.eraser.tombstones, written)
        gone = {item.id for item in rows}
        buried = await self._buried() | {i.provenance.superseded_by or i.id for i in rows}
        if buried:
            await self._remove(buried)
        if await self.eraser.tombstones.epoch(self.scope) != self.epoch:
            gone = {item.id for item in written}
            await self.eraser.erase_rows(self.scope.tenant, written, Tally())
            await self.eraser.erase_history(self.scope.tenant, gone | self.about)
        if gone:
            await self.tell(self.scope, gone)
        return gone

    async def _buried(self) -> set[str]:
        found: set[str] = set()
        for page in pages(sorted(self.about), PAGE):
            found |= await self.eraser.tombstones.buried(self.scope.tenant, page)
        return found

    async def _remove(self, ids: Collection[str]) -> None:
        """Do the forget's work: it may not have found a memory that we remove just now.

        The turns of this batch stay: they have more to teach than what was forgotten.
        """
        target = Ids(
            self.eraser.store,
            self.scope.tenant,
            sorted(ids),
            history=self.eraser.history,
            scopes={self.scope},
        )
        rows = await target.rows()
        await self.eraser.erase(target, rows, Tally(), keep_turns_of=self.batch)
        await self.tell(self.scope, target.ids | target.found)
