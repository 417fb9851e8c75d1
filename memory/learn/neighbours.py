"""Finds the memories that a new fact is compared with."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np

from ..model.errors import EmbeddingError
from ..model.ports import Embedder, VectorStore
from ..model.types import Candidate, Scope, ScoredMemory, Vector, Vectors

log = logging.getLogger(__name__)

NEIGHBOURS = 8
"""Memories a candidate is compared with."""
MAX_SEEN = 1280
"""Most hits that are searched for them."""


async def nearest(store: VectorStore, scope: Scope, vector: Vector) -> list[ScoredMemory]:
    """The nearest active memories of exactly this scope, read fresh. Raises StoreError.

    A search also returns memories of narrower scopes (a user's memories with one agent). The scope
    may not change those, so the limit grows until enough of its own are found.
    """
    limit = NEIGHBOURS
    while True:
        hits = await store.search(scope, vector, limit=limit, fresh=True)
        own = [hit for hit in hits if hit.item.scope == scope][:NEIGHBOURS]
        if len(own) == NEIGHBOURS or len(hits) < limit or limit >= MAX_SEEN:
            return own
        limit *= 4


async def embedded(
    embedder: Embedder, candidates: Sequence[Candidate]
) -> list[tuple[Candidate, Vector]]:
    """Each candidate with its vector.

    If the batch fails, each text is embedded alone; those that fail are logged and left out.

    Raises:
        EmbeddingError: every text failed.
    """
    if not candidates:
        return []
    try:
        vectors: Vectors = await embedder.embed([c.text for c in candidates])
    except EmbeddingError as error:
        if len(candidates) == 1:
            raise
        log.warning("embedding %d facts at once failed: %s", len(candidates), error)
    else:
        return list(zip(candidates, vectors, strict=True))
    return await _singly(embedder, candidates)


async def _singly(
    embedder: Embedder, candidates: Sequence[Candidate]
) -> list[tuple[Candidate, Vector]]:
    done: list[tuple[Candidate, Vector]] = []
    failure: EmbeddingError | None = None
    for candidate in candidates:
        try:
            [vector] = await embedder.embed([candidate.text])
        except EmbeddingError as error:
            log.warning("a fact of %d characters is left out: %s", len(candidate.text), error)
            failure = error
        else:
            done.append((candidate, np.asarray(vector, np.float32)))
    if failure is not None and not done:
        raise failure
    return done
