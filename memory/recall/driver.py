"""Recall with its IO: embed the query, find the user's index, rank, select."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

import numpy as np

from ..calibration import Calibration, calibration_for
from ..errors import StateError
from ..lru import Lru
from ..ports import Embedder, TokenCounter
from ..types import (
    MemoryItem,
    MemoryStatus,
    MemoryType,
    Scope,
    ScoredMemory,
    Vectors,
    utc_now,
)
from ..usage import Usage
from .evidence import Grade
from .excerpt import LONG_CHARS, excerpt
from .explain import Explanation, explain
from .holder import is_of_somebody_else
from .index.hot import HotIndexes
from .index.user_index import UserIndex
from .options import RecallOptions
from .query import Query
from .rank import Ranked, Ranking, Thresholds, rank
from .search import candidates
from .select import Selection, Shown, select
from .signals import question

log = logging.getLogger(__name__)

IN_A_THREAD = 4000
"""An index of this many memories is ranked in a thread (about 0.2 microseconds each)."""
LEAST_RANKED = 40
"""Memories that are ranked at least: some replace those that do not fit the budget."""
COUNTED_TEXTS = 16_384
MOST_HELD_BACK = 10
"""Quarantined memories that an explanation names at most."""
MAX_QUERY_CHARS = 4000
"""Only the beginning of a longer query is read: analysing a megabyte takes too long."""
LONG_QUERY_CHARS = 1000
"""A longer query takes more than 1.5 ms to analyse and is ranked in a thread."""


class Recaller:
    """Finds the memories of a scope that matter for a query."""

    def __init__(
        self,
        indexes: HotIndexes,
        embedder: Embedder,
        tokens: TokenCounter,
        options: RecallOptions,
        *,
        calibration: Calibration | None = None,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self.indexes = indexes
        self._embedder = embedder
        self._tokens = tokens
        self._options = options
        self.calibration = calibration or calibration_for(embedder.id, dim=embedder.dim)
        self._clock = clock
        self._counted: Lru[str, int] = Lru(COUNTED_TEXTS)

    async def recall(
        self,
        scope: Scope,
        query: str | Query,
        *,
        reserve_tokens: int = 0,
        show: Callable[[MemoryItem], Shown] | None = None,
        only: MemoryType | None = None,
        now: datetime | None = None,
    ) -> Selection:
        """Select the memories to inject.

        `show` returns the text of a memory in the prompt, for its token count. `reserve_tokens` of
        the budget are kept for the text around the memories. `now` is the time of the query. With
        `only`, memories of that type are compared, and must be near in meaning.

        Raises:
            EmbeddingError, StoreError, StateError: a part failed.
        """
        if only is not None and _lacks(await self.indexes.get(scope), only):
            return Selection((), ())  # as most users: not even the question is analysed
        _, selection = await self._recall(scope, query, reserve_tokens, show, only, now)
        return selection

    async def explain(
        self,
        scope: Scope,
        query: str | Query,
        *,
        reserve_tokens: int = 0,
        show: Callable[[MemoryItem], Shown] | None = None,
        only: MemoryType | None = None,
        now: datetime | None = None,
    ) -> Explanation:
        """The same recall with all its reasons. Raises what `recall` raises.

        It also finds the quarantined memories that would have matched.
        """
        ranking, selection = await self._recall(scope, query, reserve_tokens, show, only, now)
        held = await self._held_back(scope, query, only)
        return explain(
            ranking,
            selection,
            self._options,
            self.calibration,
            self._embedder.id,
            held,
            await self._used(scope, ranking),
        )

    async def rank(
        self,
        scope: Scope,
        query: str | Query,
        *,
        most: int,
        only: MemoryType | None = None,
        now: datetime | None = None,
    ) -> Ranking:
        """The `most` best memories of a scope, relevant or not. Raises what `recall` raises."""
        asked = Query(query) if isinstance(query, str) else query
        wordings = [text[:MAX_QUERY_CHARS] for text in (asked.text, *asked.variants)]
        if only is not None:
            index = await self.indexes.get(scope)
            if _lacks(index, only):
                vectors = np.zeros((len(wordings), self._embedder.dim), np.float32)
            else:
                vectors = await self._vectors(wordings, asked.passages)
        elif self.indexes.is_warm(scope):
            # Sequential: a warm index returns at once, and two tasks would cost more.
            vectors = await self._vectors(wordings, asked.passages)
            index = await self.indexes.get(scope)
        else:
            index, vectors = await asyncio.gather(
                self.indexes.get(scope), self._vectors(wordings, asked.passages)
            )
        if index is None:
            index, vectors = await candidates(self.indexes.store, scope, wordings, vectors)

        def work(index: UserIndex = index, vectors: Vectors = vectors) -> Ranking:
            when = now or self._clock()
            with index.lock:
                return rank(
                    index,
                    scope,
                    question(wordings, vectors, index.languages, when),
                    options=self._options,
                    calibration=self.calibration,
                    now=when,
                    most=most,
                    only=only,
                )

        short = sum(map(len, wordings)) <= LONG_QUERY_CHARS
        if short and len(index) < IN_A_THREAD:
            return work()
        return await asyncio.to_thread(work)

    async def warm(self) -> None:
        """Recall for the owner of a stored memory, so that the first request finds all loaded.

        The index of one user is built: reading real rows loads more than an empty scope does.

        Raises:
            EmbeddingError, StoreError: a part does not answer.
        """
        some = await self.indexes.store.scan(after=None, limit=1)
        scope = some[0].item.scope if some else Scope(tenant="recollect", run_id="warm-up")
        await self.recall(scope, "warm-up")

    async def _recall(
        self,
        scope: Scope,
        query: str | Query,
        reserve_tokens: int,
        show: Callable[[MemoryItem], Shown] | None,
        only: MemoryType | None,
        now: datetime | None,
    ) -> tuple[Ranking, Selection]:
        most = max(LEAST_RANKED, 2 * self._options.limit)
        ranking = await self.rank(scope, query, most=most, only=only, now=now)
        return ranking, self._select(ranking, reserve_tokens, show)

    async def _held_back(
        self, scope: Scope, query: str | Query, only: MemoryType | None
    ) -> list[ScoredMemory]:
        """The quarantined memories as near as a recalled one must be, nearest first."""
        text = query if isinstance(query, str) else query.text
        [vector] = await self._embedder.embed([text[:MAX_QUERY_CHARS]])
        held = await self.indexes.store.search(
            scope,
            vector,
            limit=MOST_HELD_BACK,
            statuses=frozenset({MemoryStatus.QUARANTINED}),
            fresh=True,
        )
        least = Thresholds.of(self._options, self.calibration).cosine
        return [
            hit for hit in held if hit.score >= least and (only is None or hit.item.type is only)
        ]

    async def _used(self, scope: Scope, ranking: Ranking) -> dict[str, Usage]:
        """The counters of the ranked memories."""
        if self.indexes.counters is None or not ranking.ranked:
            return {}
        ids = [hit.item.id for hit in ranking.ranked]
        try:
            return await self.indexes.counters.of(scope.tenant, ids)
        except StateError as error:
            log.warning("an explanation is given without usage: %s", error)
            return {}

    async def _vectors(self, wordings: Sequence[str], passages: Sequence[str]) -> Vectors:
        """``float32[m, dim]``: one vector for each wording, and one for question and passages."""
        vectors = await self._embedder.embed([*wordings, *passages])
        if not passages:
            return vectors
        # The mean of query and passages, as in the HyDE paper (arXiv 2212.10496, section 3.2).
        mean = vectors[[0, *range(len(wordings), len(vectors))]].mean(axis=0)
        norm = float(np.linalg.norm(mean))
        own = vectors[: len(wordings)]
        return np.vstack([own, mean / norm]).astype(np.float32) if norm > 0 else own

    def _select(
        self, ranking: Ranking, reserve_tokens: int, show: Callable[[MemoryItem], Shown] | None
    ) -> Selection:
        budget = self._options.token_budget - reserve_tokens
        if ranking.grade is Grade.SMALL:
            budget = round(budget * self._options.small)
        return select(
            ranking.ranked,
            self._options,
            token_budget=budget,
            same=ranking.same,
            show=show or _as_it_is,
            count_tokens=self._count,
            seen=ranking.seen,
            excluded=_about_somebody_else if ranking.of_user_alone else _nobody,
            shorten=partial(_shortened, terms=ranking.terms),
        )

    def _count(self, text: str) -> int:
        tokens = self._counted.get(text)
        if tokens is None:
            tokens = self._tokens.count(text)
            self._counted.put(text, tokens)
        return tokens


def _shortened(hit: Ranked, terms: Collection[str]) -> Ranked:
    """The memory as it is shown: of a long one, its best sentences."""
    if len(hit.item.text) <= LONG_CHARS:
        return hit
    return replace(hit, item=replace(hit.item, text=excerpt(hit.item.text, terms)))


def _about_somebody_else(item: MemoryItem) -> bool:
    return is_of_somebody_else(item.text)


def _nobody(_: MemoryItem) -> bool:
    return False


def _lacks(index: UserIndex | None, kind: MemoryType) -> bool:
    """Whether a user surely has no memory of a type; unknown without an index."""
    return index is not None and not index.of_type(kind).any()


def _as_it_is(item: MemoryItem) -> Shown:
    return Shown("", item.text)
