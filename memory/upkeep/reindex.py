"""Every memory again, in vectors of another embedder. Knows no backend.

The target is made equal to the source, page by page in the order of ids: what is missing there or
differs is embedded and written, what is no longer in the source is removed. So it needs no record
of how far it came: started again it finds what is there already, whatever a killed run, or one
that failed half-way in a page, has left. It ends when a pass over everything found nothing to do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..errors import StoreError
from ..ports import Embedder, VectorStore
from ..types import MemoryItem, StoredMemory

BATCH = 32
"""Memories embedded and written at a time: what a kill may cost."""
PAGE = 60 * BATCH
"""Memories read at a time. Milvus Lite looks at every row for each page: 7 us a row, 0.1 ms for one
that it returns."""
MOST_PASSES = 3
"""The first does the work, the second finds it done. More are needed only when somebody writes."""

Progress = Callable[[int, int | None], None]


@dataclass(frozen=True, slots=True)
class Reindexed:
    """What had to be done."""

    memories: int
    """In the target now."""
    written: int
    """Of them by this run; the others were there already."""


@dataclass(frozen=True, slots=True)
class Difference:
    """What makes a stretch of the target equal to that of the source."""

    write: tuple[StoredMemory, ...]
    """As they are in the source."""
    remove: tuple[MemoryItem, ...]


async def count(store: VectorStore) -> int:
    """How many memories the store holds, of every tenant and status."""
    total, after = 0, None
    while page := await store.scan(after=after, limit=PAGE):
        total, after = total + len(page), page[-1].item.id
    return total


async def reindex(
    source: VectorStore,
    target: VectorStore,
    embedder: Embedder,
    *,
    total: int | None = None,
    on_progress: Progress = lambda _done, _total: None,
) -> Reindexed:
    """Make `target` hold what `source` holds, in vectors of `embedder`.

    Nothing of the source is changed. `on_progress` is told how many of `total` were looked at.

    Raises:
        EmbeddingError: the embedder failed; what was written stays for the next run.
        StoreError: a store failed (likewise), or the source is written to all the while.
    """
    written = 0
    for _ in range(MOST_PASSES):
        run = _Pass(source, target, embedder, on_progress, total)
        await run.go()
        written += run.written
        if not run.written and not run.removed:
            return Reindexed(run.seen, written)
        total = run.seen
    raise StoreError("memories are being changed by another process: stop it, and run this again")


def difference(
    source: Sequence[StoredMemory], target: Sequence[StoredMemory], embedder_id: str
) -> Difference:
    """What to write to and remove from the target, given the same stretch of ids of both. Pure."""
    there = {memory.item.id: memory.item for memory in target}
    wanted = {memory.item.id for memory in source}
    return Difference(
        write=tuple(m for m in source if there.get(m.item.id) != moved(m.item, embedder_id)),
        remove=tuple(item for item in there.values() if item.id not in wanted),
    )


def moved(item: MemoryItem, embedder_id: str) -> MemoryItem:
    """The memory as it is in the target: only whose vector it has changes."""
    return replace(item, embedder_id=embedder_id)


class _Pass:
    """One time through all ids."""

    def __init__(
        self,
        source: VectorStore,
        target: VectorStore,
        embedder: Embedder,
        on_progress: Progress,
        total: int | None,
    ) -> None:
        self._source = source
        self._target = target
        self._embedder = embedder
        self._on_progress = on_progress
        self._total = total
        self._exhausted = False
        """Nothing is in the target but what this pass has written or seen."""
        self.seen = self.written = self.removed = 0

    async def go(self) -> None:
        after: str | None = None
        while page := await self._source.scan(after=after, limit=PAGE):
            upto = page[-1].item.id
            await self._equalise(page, await self._stretch(after, upto))
            after = upto
        await self._remove([m.item for m in await self._stretch(after, None)])

    async def _stretch(self, after: str | None, upto: str | None) -> list[StoredMemory]:
        """What the target holds after one id and up to another; to its end if that is None."""
        found: list[StoredMemory] = []
        while not self._exhausted:
            page = await self._target.scan(after=after, limit=PAGE)
            self._exhausted = not page
            found += [m for m in page if upto is None or m.item.id <= upto]
            if page and upto is not None and page[-1].item.id >= upto:
                break
            after = page[-1].item.id if page else after
        return found

    async def _equalise(
        self, source: Sequence[StoredMemory], target: Sequence[StoredMemory]
    ) -> None:
        todo = difference(source, target, self._embedder.id)
        await self._remove(todo.remove)
        self._tell(len(source) - len(todo.write))
        for start in range(0, len(todo.write), BATCH):
            batch = todo.write[start : start + BATCH]
            await self._target.put(await self._embedded(batch))
            self.written += len(batch)
            self._tell(len(batch))

    async def _embedded(self, batch: Sequence[StoredMemory]) -> list[StoredMemory]:
        """The memories with the new embedder's vectors, which some of them may have already."""
        own = {m.item.id: m.vector for m in batch if self._has_own_vector(m)}
        others = [m.item for m in batch if m.item.id not in own]
        if others:
            vectors = await self._embedder.embed([item.text for item in others])
            own |= {item.id: vector for item, vector in zip(others, vectors, strict=True)}
        return [StoredMemory(moved(m.item, self._embedder.id), own[m.item.id]) for m in batch]

    def _has_own_vector(self, memory: StoredMemory) -> bool:
        """A collection may need new columns and no new vectors."""
        return memory.item.embedder_id == self._embedder.id and memory.vector.shape == (
            self._embedder.dim,
        )

    async def _remove(self, items: Sequence[MemoryItem]) -> None:
        """Forgotten since an earlier run: it must not come back."""
        for tenant in {item.scope.tenant for item in items}:
            await self._target.delete(
                tenant, [item.id for item in items if item.scope.tenant == tenant]
            )
        self.removed += len(items)

    def _tell(self, looked_at: int) -> None:
        if looked_at:
            self.seen += looked_at
            self._on_progress(self.seen, self._total)
