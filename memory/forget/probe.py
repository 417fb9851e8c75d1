"""Looking for what was erased, as a recall would look."""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Self

from ..errors import EmbeddingError
from ..ports import Embedder, VectorStore
from ..types import MemoryItem, Scope, Vector
from .targets import ANY_STATUS

log = logging.getLogger(__name__)

MOST = 8
"""Memories that are searched for by their own text. The fresh read looks for every one."""
HITS = 20
"""Of each search: what is erased would come first, but for memories of the same words."""


@dataclass(frozen=True, slots=True)
class Probe:
    """Searches that would find some of the rows."""

    store: VectorStore
    searches: tuple[tuple[Scope, Vector], ...]

    @classmethod
    async def of(cls, store: VectorStore, embedder: Embedder, rows: Sequence[MemoryItem]) -> Self:
        """Searches for some of the rows, while their texts are there.

        Without an embedder there are none: forgetting must not wait for one, and a fresh read
        tells as surely what is gone.
        """
        some = _spread(rows, MOST)
        if not some:
            return cls(store, ())
        try:
            vectors = await embedder.embed([item.text for item in some])
        except EmbeddingError as error:
            log.warning("what is being forgotten cannot be searched for: %s", error)
            return cls(store, ())
        found = zip((item.scope for item in some), vectors, strict=True)
        return cls(store, tuple(found))

    async def finds(self, ids: Collection[str]) -> bool:
        """Whether any search still shows any of these. Raises StoreError."""
        for scope, vector in self.searches:
            hits = await self.store.search(scope, vector, limit=HITS, statuses=ANY_STATUS)
            if any(hit.item.id in ids for hit in hits):
                return True
        return False


def _spread(rows: Sequence[MemoryItem], most: int) -> Sequence[MemoryItem]:
    """Up to so many of them, from beginning to end."""
    step = max(1, -(-len(rows) // most))
    return rows[::step]
