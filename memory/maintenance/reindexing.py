"""Rebuilds a store with the vectors of another embedder. Works with any backend.

The target is made equal to the source, page by page in the order of ids: memories that are missing
or differ are embedded and written, memories that the source does not have are removed. No progress
is recorded: a restarted run skips the memories that the target already has. The run ends when a
pass finds nothing to do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ..model.errors import StoreError
from ..model.ports import Embedder, VectorStore
from ..model.types import MemoryItem, StoredMemory
from ..model.wide import scanned

BATCH = 32
"""Memories embedded and written at a time: the most work a kill loses."""
PAGE = 60 * BATCH
"""Memories read at a time. For each page Milvus Lite scans every row: 7 us per row, 0.1 ms per
returned row."""
MOST_PASSES = 3
"""The first does the work, the second verifies it. Only concurrent writes need more."""

Progress = Callable[[int, int | None], None]


@dataclass(frozen=True, slots=True)
class Reindexed:
    """The result of a run."""

    memories: int
    """Memories in the target."""
    written: int
    """Memories that this run wrote."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The changes that make a range of the target equal to the source."""

    write: tuple[StoredMemory, ...]
    """As they are in the source."""
    remove: tuple[MemoryItem, ...]


async def count(store: VectorStore) -> int:
    """The number of memories of every tenant and status."""
    return sum([len(page) async for page in scanned(store, page=PAGE)])


async def reindex(
    source: VectorStore,
    target: VectorStore,
    embedder: Embedder,
    *,
    total: int | None = None,
    on_progress: Progress = lambda _done, _total: None,
) -> Reindexed:
    """Copy `source` to `target` with vectors of `embedder`; the source is not changed.

    `on_progress` gets the numbers of memories checked and in total.

    Raises:
        EmbeddingError: the embedder failed; written memories stay for the next run.
        StoreError: a store failed (likewise), or the source keeps changing.
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
    """The changes for one range of ids, given the memories of both stores in it. Pure."""
    there = {memory.item.id: memory.item for memory in target}
    wanted = {memory.item.id for memory in source}
    return Difference(
        write=tuple(m for m in source if there.get(m.item.id) != moved(m.item, embedder_id)),
        remove=tuple(item for item in there.values() if item.id not in wanted),
    )


def moved(item: MemoryItem, embedder_id: str) -> MemoryItem:
    """The memory as the target stores it: only `embedder_id` differs."""
    return replace(item, embedder_id=embedder_id)


@dataclass(slots=True)
class _Pass:
    """One pass over all ids."""

    source: VectorStore
    target: VectorStore
    embedder: Embedder
    on_progress: Progress
    total: int | None
    exhausted: bool = False
    """The target has no memories beyond those that this pass has seen or written."""
    seen: int = 0
    written: int = 0
    removed: int = 0

    async def go(self) -> None:
        after: str | None = None
        while page := await self.source.scan(after=after, limit=PAGE):
            upto = page[-1].item.id
            await self._equalise(page, await self._stretch(after, upto))
            after = upto
        await self._remove([m.item for m in await self._stretch(after, None)])

    async def _stretch(self, after: str | None, upto: str | None) -> list[StoredMemory]:
        """The target's memories after one id, up to and including another or the end (None)."""
        found: list[StoredMemory] = []
        while not self.exhausted:
            page = await self.target.scan(after=after, limit=PAGE)
            self.exhausted = not page
            found += [m for m in page if upto is None or m.item.id <= upto]
            if page and upto is not None and page[-1].item.id >= upto:
                break
            after = page[-1].item.id if page else after
        return found

    async def _equalise(
        self, source: Sequence[StoredMemory], target: Sequence[StoredMemory]
    ) -> None:
        todo = difference(source, target, self.embedder.id)
        await self._remove(todo.remove)
        self._tell(len(source) - len(todo.write))
        for start in range(0, len(todo.write), BATCH):
            batch = todo.write[start : start + BATCH]
            await self.target.put(await self._embedded(batch))
            self.written += len(batch)
            self._tell(len(batch))

    async def _embedded(self, batch: Sequence[StoredMemory]) -> list[StoredMemory]:
        """The memories with vectors of the new embedder, reusing those they already have."""
        own = {m.item.id: m.vector for m in batch if self._has_own_vector(m)}
        others = [m.item for m in batch if m.item.id not in own]
        if others:
            vectors = await self.embedder.embed([item.sought for item in others])
            own |= {item.id: vector for item, vector in zip(others, vectors, strict=True)}
        return [StoredMemory(moved(m.item, self.embedder.id), own[m.item.id]) for m in batch]

    def _has_own_vector(self, memory: StoredMemory) -> bool:
        """True if only the collection's columns change, not the embedder."""
        return memory.item.embedder_id == self.embedder.id and memory.vector.shape == (
            self.embedder.dim,
        )

    async def _remove(self, items: Sequence[MemoryItem]) -> None:
        """Remove memories that were forgotten since an earlier run."""
        for tenant in {item.scope.tenant for item in items}:
            await self.target.delete(
                tenant, [item.id for item in items if item.scope.tenant == tenant]
            )
        self.removed += len(items)

    def _tell(self, looked_at: int) -> None:
        if looked_at:
            self.seen += looked_at
            self.on_progress(self.seen, self.total)
