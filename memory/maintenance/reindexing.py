"""Embeds all memories anew, beside the vectors that are used until the last one is there.

No progress is recorded: a run that follows goes on with the memories that have no new vector.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable

from ..memories import MemoryVectors
from ..model.ports import Embedder

BATCH = 32
"""Memories embedded and written at a time: the most work a kill loses."""
PAGE = 60 * BATCH
"""Memories read at a time."""
MOST_PASSES = 3
"""The first does the work. Only what another process changes meanwhile needs more."""

Progress = Callable[[int, int | None], None]


async def reindex(
    vectors: MemoryVectors,
    embedder: Embedder,
    *,
    on_progress: Progress = lambda _done, _total: None,
    use: bool = True,
) -> int:
    """Give every memory a vector of this embedder, and use these; how many this run embedded.

    Without `use` the other vectors stay in use, and memories may be changed meanwhile: what is
    changed afterwards is left to a later run. `on_progress` gets the numbers of memories with such
    a vector, and of all.

    Raises:
        EmbeddingError: the embedder failed; what was embedded stays for the next run.
        StoreError: the database failed (likewise), or memories are being changed.
    """
    total = await vectors.count()
    done = total - await vectors.count_missing(embedder.id)
    written = 0
    for _ in range(MOST_PASSES):
        async for kept in _embedded(vectors, embedder):
            written, done = written + kept, done + kept
            on_progress(done, total)
        if not await vectors.count_missing(embedder.id):
            break
    if use:
        await vectors.switch(embedder.id, embedder.dim)
    return written


async def _embedded(vectors: MemoryVectors, embedder: Embedder) -> AsyncIterator[int]:
    """Embed those that have no vector yet; how many at a time."""
    after = 0
    while page := await vectors.missing(embedder.id, after=after, limit=PAGE):
        for start in range(0, len(page), BATCH):
            batch = page[start : start + BATCH]
            made = await embedder.embed([item.sought for _, item in batch])
            rows = [(place, item, each) for (place, item), each in zip(batch, made, strict=True)]
            yield await vectors.put(embedder.id, embedder.dim, rows)
        after = page[-1][0]
