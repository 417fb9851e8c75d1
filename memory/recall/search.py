"""Candidates from the store, for users with too many memories for an index."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import numpy as np

from ..language import language_of, query_terms
from ..ports import KeywordSearch, VectorStore
from ..types import MemoryItem, Scope, ScoredMemory, StoredMemory, Vectors
from .index.user_index import UserIndex

CANDIDATES = 100
"""Hits of each search (by meaning, and by words)."""


async def candidates(
    store: VectorStore, scope: Scope, wordings: Sequence[str], vectors: Vectors
) -> tuple[UserIndex, Vectors]:
    """A small index of the store's hits by meaning and by words, and the query vector for it.

    The index has one dimension, the cosine of each memory; the query vector is 1.0. A memory that
    was found by words only has cosine 0. Raises StoreError.
    """
    near = [store.search(scope, vector, limit=CANDIDATES) for vector in vectors]
    dense, lexical = await asyncio.gather(asyncio.gather(*near), _by_words(store, scope, wordings))
    cosines: dict[str, float] = {}
    items: dict[str, MemoryItem] = {hit.item.id: hit.item for hit in lexical}
    for hit in (hit for hits in dense for hit in hits):
        items[hit.item.id] = hit.item
        cosines[hit.item.id] = max(hit.score, cosines.get(hit.item.id, -1.0))
    found = [
        StoredMemory(item, np.array([cosines.get(item.id, 0.0)], np.float32))
        for item in items.values()
    ]
    index = await asyncio.to_thread(UserIndex.of, 1, found)
    return index, np.ones((1, 1), np.float32)


async def _by_words(
    store: VectorStore, scope: Scope, wordings: Sequence[str]
) -> list[ScoredMemory]:
    if not isinstance(store, KeywordSearch) or not store.keywords:
        return []
    terms = {
        term: None for wording in wordings for term in query_terms(wording, _languages(wording))
    }
    return await store.search_keywords(scope, list(terms), limit=CANDIDATES) if terms else []


def _languages(wording: str) -> frozenset[str]:
    """The memories' languages are unknown here; most are in the query's language or English."""
    return frozenset({language_of(wording), "en"})
