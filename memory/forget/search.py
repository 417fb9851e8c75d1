"""Finds memories of any status for a query, with the ranking of a recall."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

import numpy as np

from ..calibration import calibration_for
from ..embedders import embed_queries
from ..language import language_of, query_terms
from ..memories import SqlMemories
from ..model.endings import is_refiled
from ..model.filters import EVERYTHING, Filter
from ..model.ports import Embedder
from ..model.types import MemoryItem, Scope, ScoredMemory, StoredMemory, Vector
from ..query.evaluate import passing, predicate
from ..recall import RecallOptions
from ..recall.index.entry import RecentStatements, SaidPassage
from ..recall.index.statement_reader import unlearned
from ..recall.index.user_index import UserIndex
from ..recall.ranking import Ranked, rank
from ..recall.signals import analysed
from ..recall.wording import MAX_QUERY_CHARS
from .query_matches import Nearest, meant, nearest_of
from .targets import ANY_STATUS

MOST_INDEXED = 20_000
"""Most memories that are ranked in full. For a larger scope, the store's hits are ranked."""
CANDIDATES = 500
"""Hits of each store search for a larger scope."""
NEAR_WORDS = 0.2
"""Share of the query's words from which a memory is near whatever its evidence is."""


class MatchesToForget(NamedTuple):
    """The memories that a query is about, best first."""

    meant: list[MemoryItem]
    """What is named exactly, or clearly meant."""
    near: list[MemoryItem]
    """What is only like it."""
    nearest: list[Nearest]
    """The two nearest by meaning, if the query names nobody."""


async def find(
    store: SqlMemories,
    embedder: Embedder,
    scope: Scope,
    query: str,
    limit: int,
    *,
    now: datetime,
    where: Filter = EVERYTHING,
    said: Sequence[SaidPassage] = (),
) -> MatchesToForget:
    """Up to `limit` memories of any status that pass the filter and are meant, and as many near.

    With what was `said` among them, unless a memory was learned from it. Unlike in a recall, the
    best one need not stand out: a person reviews the result. Raises StoreError, EmbeddingError.
    """
    calibration = calibration_for(embedder.id, dim=embedder.dim)
    hits = await _ranked(store, embedder, scope, query, now=now, where=where, said=said)
    chosen, free = await asyncio.to_thread(meant, query, hits, calibration)
    ids = {hit.item.id for hit in chosen}

    def is_near(hit: Ranked) -> bool:
        near = hit.relevant or hit.cosine >= calibration.recall or hit.coverage >= NEAR_WORDS
        return near and hit.item.id not in ids

    near = [hit.item for hit in hits if is_near(hit)]
    return MatchesToForget([hit.item for hit in chosen[:limit]], near[:limit], nearest_of(free))


async def _ranked(
    store: SqlMemories,
    embedder: Embedder,
    scope: Scope,
    query: str,
    *,
    now: datetime,
    where: Filter,
    said: Sequence[SaidPassage],
) -> list[Ranked]:
    """All, best first, whatever their evidence is. Raises as `find`."""
    wording = query[:MAX_QUERY_CHARS]
    [vector] = await embed_queries(embedder, [wording])
    memories = await store.load(scope, limit=MOST_INDEXED + 1, statuses=ANY_STATUS, where=where)
    memories = [each for each in memories if not is_refiled(each.item)]
    passes_filter = predicate(where)
    passages = await passing(said, lambda one: passes_filter(one.item))
    if len(memories) > MOST_INDEXED:
        memories = await _candidates(store, scope, wording, vector, where)
        passages = [_by_cosine(one, vector) for one in passages]
        vector = np.ones(1, np.float32)
    statements = RecentStatements(unlearned(passages, (memory.item for memory in memories)))
    calibration = calibration_for(embedder.id, dim=embedder.dim)
    options = RecallOptions()

    def work() -> list[Ranked]:
        index = UserIndex.of(len(vector), memories)
        index.add_extras(statements)
        ranking = rank(
            index,
            scope,
            analysed([wording], vector[np.newaxis], index.languages, now),
            options=options,
            calibration=calibration,
            now=now,
            most=len(index),
        )
        return list(ranking.ranked)

    return await asyncio.to_thread(work)


def _by_cosine(passage: SaidPassage, query: Vector) -> SaidPassage:
    """The passage for an index whose one dimension is the cosine to the query."""
    near = 0.0 if passage.vector is None else float(passage.vector @ query)
    return replace(passage, vector=np.array([near], np.float32))


async def _candidates(
    store: SqlMemories, scope: Scope, wording: str, vector: Vector, where: Filter
) -> list[StoredMemory]:
    """The store's hits by meaning and words; each vector is the cosine to the query."""
    near = await store.search(scope, vector, limit=CANDIDATES, statuses=ANY_STATUS, where=where)
    cosines = {hit.item.id: hit.score for hit in near}
    worded = await _by_words(store, scope, wording, where)
    found = {hit.item.id: hit.item for hit in (*worded, *near)}
    return [
        StoredMemory(item, np.array([cosines.get(item.id, 0.0)], np.float32))
        for item in found.values()
    ]


async def _by_words(
    store: SqlMemories, scope: Scope, wording: str, where: Filter
) -> Sequence[ScoredMemory]:
    if not store.keywords:
        return []
    terms = query_terms(wording, frozenset({language_of(wording), "en"}))
    if not terms:
        return []
    return await store.search_keywords(
        scope, list(terms), limit=CANDIDATES, statuses=ANY_STATUS, where=where
    )
