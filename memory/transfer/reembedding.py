"""Embeds the rows of a tenant again with its embedder, in place.

For vectors that do not fit their texts any more, for example because the model behind a name has
changed. Moving to another embedder needs another collection: `upkeep.reindex`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace

from ..forget import Forgetter
from ..memories import walked
from ..model.types import MemoryItem, StoredMemory
from ..records.parts import Parts
from ..records.writing import InsidePorts
from .exporting import Pause

PAGE = 1280
"""Rows read at a time; see `exporting.PAGE`."""
BATCH = 32
"""Rows embedded and written at a time: the most work a kill loses."""


@dataclass(frozen=True, slots=True)
class Reembedded:
    """How far it is."""

    memories: int
    after: str
    """The id to go on after."""


class Reembedder:
    """Writes each row again with a new vector, unless somebody changes it meanwhile."""

    def __init__(self, parts: Parts, forgetter: Forgetter, *, pause: Pause) -> None:
        self._store = parts.store
        self._embedder = parts.embedder
        self._writer = parts.writer
        self._bus = forgetter.bus
        self._pause = pause

    async def run(self, tenant: str, *, after: str | None = None) -> AsyncIterator[Reembedded]:
        """Embed the rows with an id greater than `after`; yields after each batch.

        Raises EmbeddingError, StoreError, StateError: run it again from the last `after`.
        """
        # Caches of vectors are dropped, so that the embedder is really asked.
        await self._bus.announce(tenant)
        async for mine in walked(self._store, tenant, page=PAGE, after=after):
            for start in range(0, len(mine), BATCH):
                batch = mine[start : start + BATCH]
                await self._again(tenant, batch)
                yield Reembedded(len(batch), batch[-1].id)
                await self._pause()

    async def _again(self, tenant: str, items: Sequence[MemoryItem]) -> None:
        vectors = await self._embedder.embed([item.sought for item in items])
        known = {
            item.id: (item.sought, vector) for item, vector in zip(items, vectors, strict=True)
        }

        async def work(ports: InsidePorts) -> None:
            await ports.memories.put(
                [
                    StoredMemory(replace(item, embedder_id=self._embedder.id), vector)
                    for item in await ports.memories.get(tenant, list(known))
                    # A row that was changed since has a new vector already.
                    for text, vector in [known[item.id]]
                    if item.sought == text
                ]
            )

        await self._writer.change(work, tenants={tenant})
