"""Searches for erased memories as a recall would."""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Self

from ..model.errors import EmbeddingError
from ..model.ports import Embedder, VectorStore
from ..model.types import MemoryItem, Scope, Vector
from .targets import ANY_STATUS

log = logging.getLogger(__name__)

MOST = 8
"""Memories that are searched for by their text. The fresh read checks every memory."""
HITS = 20
"""Hits per search: an erased memory would come first, except for ones with the same words."""


@dataclass(frozen=True, slots=True)
class Probe:
    """Searches that would find some of the rows."""

    store: VectorStore
    searches: tuple[tuple[Scope, Vector], ...]

    @classmethod
    async def of(cls, store: VectorStore, embedder: Embedder, rows: Sequence[MemoryItem]) -> Self:
        """Prepare searches for some of the rows while their texts still exist.

        If the embedder fails there are none: forgetting does not wait for it, and the fresh read
        is as reliable.
        """
        some = _spread(rows, MOST)
        if not some:
            return cls(store, ())
        try:
            vectors = await embedder.embed([item.sought for item in some])
        except EmbeddingError as error:
            log.warning("forgetting goes on without its test searches: %s", error)
            return cls(store, ())
        found = zip((item.scope for item in some), vectors, strict=True)
        return cls(store, tuple(found))

    async def finds(self, ids: Collection[str]) -> bool:
        """Whether a search still returns any of these. Raises StoreError."""
        for scope, vector in self.searches:
            hits = await self.store.search(scope, vector, limit=HITS, statuses=ANY_STATUS)
            if any(hit.item.id in ids for hit in hits):
                return True
        return False


def _spread(rows: Sequence[MemoryItem], most: int) -> Sequence[MemoryItem]:
    """Up to `most` rows, evenly spaced."""
    step = max(1, -(-len(rows) // most))
    return rows[::step]
