"""Candidates from the store, for users with too many memories for an index."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from ..language import language_of, query_terms
from ..memories import SqlMemories
from ..model.ports import ACTIVE
from ..model.types import (
    MemoryItem,
    MemoryStatus,
    Scope,
    ScoredMemory,
    StoredMemory,
    Vector,
    Vectors,
)
from ..query import EVERYTHING, Filter
from .index.entry import NOTHING_SHARED, RecentStatements, SaidPassage, SharedMemories
from .index.user_index import UserIndex, as_written

CANDIDATES = 100
"""Hits of each search (by meaning, and by words)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """The filter of candidates."""

    statuses: Collection[MemoryStatus] = ACTIVE
    where: Filter = EVERYTHING
    most: int = 0
    """More hits of each search, if more than `CANDIDATES` are asked for."""
    extras: bool = False
    """Whether statements and shared memories are compared too."""


USUAL = Candidates()


async def stored_candidates(
    store: SqlMemories,
    scope: Scope,
    wordings: Sequence[str],
    vectors: Vectors,
    *,
    asked: Candidates = USUAL,
) -> tuple[UserIndex, Vectors]:
    """A small index of the store's hits by meaning and by words, and the query vector for it.

    The index has one dimension, the cosine of each memory; the query vector is 1.0. A memory that
    was found by words only has cosine 0. Raises StoreError.
    """
    most = max(CANDIDATES, asked.most)
    near = [
        store.search(scope, vector, limit=most, statuses=asked.statuses, where=asked.where)
        for vector in vectors
    ]
    words = _by_words(store, scope, wordings, asked)
    dense, lexical = await asyncio.gather(asyncio.gather(*near), words)
    cosines: dict[str, float] = {}
    items: dict[str, MemoryItem] = {hit.item.id: hit.item for hit in lexical}
    for hit in (hit for hits in dense for hit in hits):
        items[hit.item.id] = hit.item
        cosines[hit.item.id] = max(hit.score, cosines.get(hit.item.id, -1.0))
    found = [
        StoredMemory(item, np.array([cosines.get(item.id, 0.0)], np.float32))
        for item in items.values()
    ]
    index = await asyncio.to_thread(UserIndex.of, 1, as_written(found))
    return index, np.ones((1, 1), np.float32)


def as_cosines(said: RecentStatements, vectors: Vectors) -> RecentStatements:
    """What was said, for an index of candidates, whose one dimension is the cosine to the query."""
    ranked = said.ranked.values()
    return RecentStatements([replace(one, vector=_cosine(one, vectors)) for one in ranked])


def shared_as_cosines(shared: SharedMemories, vectors: Vectors) -> SharedMemories:
    """The same of shared memories."""
    if shared is NOTHING_SHARED:
        return shared
    memories = [replace(one, vector=_nearest(one.vector, vectors)) for one in shared.memories]
    return replace(shared, memories=memories)


def _cosine(passage: SaidPassage, vectors: Vectors) -> Vector:
    return _nearest(passage.vector, vectors)


def _nearest(vector: npt.NDArray[np.floating[Any]] | None, vectors: Vectors) -> Vector:
    best = 0.0 if vector is None else float(np.max(vectors @ vector))
    return np.array([best], np.float32)


async def _by_words(
    store: SqlMemories, scope: Scope, wordings: Sequence[str], asked: Candidates
) -> list[ScoredMemory]:
    if not store.keywords:
        return []
    terms = {
        term: None for wording in wordings for term in query_terms(wording, _languages(wording))
    }
    if not terms:
        return []
    return await store.search_keywords(
        scope, list(terms), limit=CANDIDATES, statuses=asked.statuses, where=asked.where
    )


def _languages(wording: str) -> frozenset[str]:
    """The memories' languages are unknown here; most are in the query's language or English."""
    return frozenset({language_of(wording), "en"})
