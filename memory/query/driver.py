"""Answers queries from the store: pages, counts, searches."""

from __future__ import annotations

import builtins
from dataclasses import dataclass

from ..ports import VectorStore
from ..recall.driver import Recaller
from ..recall.options import FusionOptions
from ..recall.query import Query
from ..recall.search import Candidates
from ..types import ACTIVE, MemoryItem, Scope, StoredMemory
from . import shown
from .arguments import ONCE_TRUE, MemoryQuery
from .cursor import ListMark, is_after, place_of, read, written
from .evaluate import predicate
from .fields import field_of
from .filters import Condition, Operator, both
from .versions import at_a_time

_ALL = 10_000_000
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Page:
    """Some memories of a listing, newest first."""

    items: list[MemoryItem]
    next: str | None
    """The cursor of the next page; None if there is none."""


@dataclass(frozen=True, slots=True)
class QueryHit:
    """A memory that a search found."""

    item: MemoryItem
    score: float
    """How sure it is that it answers, from 0 to 1 (`recall.evidence`)."""
    similarity: float
    """The cosine similarity to the query."""


@dataclass(frozen=True, slots=True)
class FoundPage:
    """Some results of a search, best first."""

    hits: list[QueryHit]
    next: str | None
    """The cursor of the next page; None if there is none."""


class Queries:
    """Lists, counts and searches. The scope is added last, so a filter cannot widen it.

    All methods raise StoreError; searches also what `Recaller.recall` raises.
    """

    def __init__(self, store: VectorStore, recaller: Recaller) -> None:
        self._store = store
        self._recaller = recaller

    async def list(
        self, scope: Scope, wanted: MemoryQuery, *, limit: int | None = None
    ) -> builtins.list[MemoryItem]:
        """All memories that are meant, newest first; at most `limit`."""
        if not wanted.in_the_past:
            return await self._store.list(
                scope, limit=limit, statuses=wanted.statuses, where=wanted.where
            )
        rows = await self._store.list(scope, limit=None, statuses=ONCE_TRUE)
        return self._then(rows, wanted)[:limit]

    async def page(
        self, scope: Scope, wanted: MemoryQuery, *, limit: int, cursor: str | None = None
    ) -> Page:
        """One page of the same. Raises InvalidInputError for a cursor of another query."""
        digest = f"{wanted.given}{scope.partition}{sorted(scope.ids().items())}"
        after = None if cursor is None else read(cursor, digest)
        found = await self._after(scope, wanted, after, limit + 1)
        items, more = found[:limit], len(found) > limit
        return Page(items, written(place_of(items[-1]), digest) if more else None)

    async def _after(
        self, scope: Scope, wanted: MemoryQuery, after: ListMark | None, limit: int
    ) -> builtins.list[MemoryItem]:
        if after is None:
            return await self.list(scope, wanted, limit=limit)
        if wanted.in_the_past:
            items = await self.list(scope, wanted)
        else:
            older = Condition(field_of("created_at"), Operator.LTE, after.created)
            items = await self._store.list(
                scope, limit=None, statuses=wanted.statuses, where=both(older, wanted.where)
            )
        return [item for item in items if is_after(item, after)][:limit]

    async def count(self, scope: Scope, wanted: MemoryQuery) -> int:
        """How many there are."""
        if wanted.in_the_past:
            return len(await self.list(scope, wanted))
        return await self._store.count(
            scope, statuses=wanted.statuses, where=wanted.where, fresh=True
        )

    async def search_page(
        self,
        scope: Scope,
        query: Query,
        wanted: MemoryQuery,
        *,
        limit: int,
        threshold: float | None = None,
        fusion: FusionOptions | None = None,
        cursor: str | None = None,
    ) -> FoundPage:
        """One page of a search. Raises InvalidInputError for a cursor of another query."""
        owner = scope.partition, sorted(scope.ids().items())
        digest = repr((owner, query, wanted.given, threshold, fusion))
        before = frozenset() if cursor is None else shown.read(cursor, digest)
        hits = await self.search(
            scope,
            query,
            wanted,
            limit=len(before) + limit + 1,
            threshold=threshold,
            fusion=fusion,
        )
        others = [hit for hit in hits if shown.mark_of(hit.item.id) not in before]
        page = others[:limit]
        if len(others) <= limit:
            return FoundPage(page, None)
        marks = before.union(shown.mark_of(hit.item.id) for hit in page)
        return FoundPage(page, shown.written(marks, digest))

    async def search(
        self,
        scope: Scope,
        query: Query,
        wanted: MemoryQuery,
        *,
        limit: int,
        threshold: float | None = None,
        fusion: FusionOptions | None = None,
    ) -> builtins.list[QueryHit]:
        """The memories that answer a question, best first, with a score of at least `threshold`."""
        if wanted.in_the_past:
            rows = await self._store.load(scope, limit=_ALL, statuses=ONCE_TRUE, fresh=True)
            vectors = {row.item.id: row.vector for row in rows}
            then = self._then([row.item for row in rows], wanted)
            stored = [StoredMemory(item, vectors[item.id]) for item in then]
            ranking = await self._recaller.rank_among(
                scope, query, stored, most=limit, fusion=fusion
            )
        elif wanted.statuses == ACTIVE:
            ranking = await self._recaller.rank(
                scope, query, most=limit, where=wanted.where, fusion=fusion
            )
        else:
            asked = Candidates(statuses=wanted.statuses, where=wanted.where, most=limit, fresh=True)
            ranking = await self._recaller.rank_among(
                scope, query, asked, most=limit, fusion=fusion
            )
        hits = [QueryHit(hit.item, round(hit.right, _DIGITS), hit.cosine) for hit in ranking.ranked]
        return [hit for hit in hits if threshold is None or hit.score >= threshold]

    def _then(
        self, rows: builtins.list[MemoryItem], wanted: MemoryQuery
    ) -> builtins.list[MemoryItem]:
        """The memories of another time that pass the filter, in the order of a listing."""
        assert wanted.as_of is not None  # noqa: S101 - `read_arguments` sets it with `known_at`
        passes = predicate(wanted.where)
        found = at_a_time(rows, as_of=wanted.as_of, known_at=wanted.known_at)
        kept = [item for item in found if item.status in wanted.statuses and passes(item)]
        return sorted(kept, key=lambda item: (-place_of(item).created, item.id))
