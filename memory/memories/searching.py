"""Finds the nearest memories: exactly, or through an index that may be wrong about everything.

Whatever proposes a memory, it is read from the database, compared again and tested: an index only
decides what is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..database.scripts import Row
from ..index.port import IndexMarks, IndexSearch
from ..model.errors import StoreError
from ..model.types import MemoryStatus, Scope, ScoredMemory, Vector
from ..query import Filter, Predicate, predicate
from .asked import in_scope
from .log import LOG_BEGINS, positions_in
from .reading import COLUMNS, MemoryReader
from .rows import ITEM_WIDTH, item_of, vector_of
from .running import MemoryScripts
from .thin import thin_filter
from .where import add_filter

FEW = 1_000
"""Memories of a scope that are compared without asking an index."""
_WIDER = (3, 30)
"""An index is asked for so many times the limit, then for more; then all are compared."""
MOST_ASKED = 2_000
_BEGINS = "SELECT CAST(value AS BIGINT) FROM notes WHERE name = :name"
_SINCE = "SELECT ids FROM changes WHERE seq > :seq AND tenant = :tenant"


@dataclass(frozen=True, slots=True)
class NamedIndex:
    """An index, its name, and the marks that tell whether it is complete."""

    index: IndexSearch
    name: str
    marks: IndexMarks
    changed: Callable[[], None] = lambda: None
    """Is called after each write: the index may follow at once."""


@dataclass(frozen=True, slots=True)
class VectorQuestion:
    """What is looked for."""

    scope: Scope
    vectors: Sequence[Vector]
    """Each is a question of its own."""
    statuses: Collection[MemoryStatus]
    where: Filter
    limit: int

    def tests(self) -> Predicate:
        """Whether a memory may be found."""
        passes = predicate(self.where)
        return lambda item: (
            self.scope.admits(item.scope) and item.status in self.statuses and passes(item)
        )


class MemorySearch:
    """Searches by vectors. Raises StoreError."""

    def __init__(
        self, scripts: MemoryScripts, reader: MemoryReader, index: NamedIndex | None
    ) -> None:
        self._scripts = scripts
        self._reader = reader
        self._index = index

    async def nearest(self, asked: VectorQuestion) -> list[list[ScoredMemory]]:
        """The nearest of each vector, best first."""
        if self._index is not None and asked.limit * _WIDER[0] <= MOST_ASKED:
            later = await self._later(asked.scope.tenant, self._index)
            if later is not None and not await self._has_few(asked):
                return await self._proposed(asked, self._index.index, later)
        return await self._compared(asked, asked.vectors)

    async def _compared(
        self, asked: VectorQuestion, vectors: Sequence[Vector]
    ) -> list[list[ScoredMemory]]:
        """By comparing all vectors of the scope, page by page."""
        rows = in_scope(asked.scope, asked.statuses)
        keep = None if add_filter(asked.where, rows) else predicate(asked.where)
        best: list[list[ScoredMemory]] = [[] for _ in vectors]
        columns = f"{COLUMNS}, vector"
        async for page in self._reader.vector_pages(rows, columns):
            work = partial(_all_merged, best, page, vectors, asked.limit, keep)
            best = await self._scripts.apart(work, size=len(page) * len(vectors))
        return best

    async def _proposed(
        self, asked: VectorQuestion, index: IndexSearch, later: set[int]
    ) -> list[list[ScoredMemory]]:
        """Through the index, but for those of which it proposes too few."""
        found = [await self._hits(asked, vector, index, later) for vector in asked.vectors]
        left = [vector for vector, hits in zip(asked.vectors, found, strict=True) if hits is None]
        compared = iter(await self._compared(asked, left) if left else [])
        return [next(compared) if hits is None else hits for hits in found]

    async def _hits(
        self, asked: VectorQuestion, vector: Vector, index: IndexSearch, later: set[int]
    ) -> list[ScoredMemory] | None:
        thin = thin_filter(asked.scope, asked.statuses, asked.where)
        for times in _WIDER:
            limit = min(asked.limit * times, MOST_ASKED)
            try:
                hits = await index.search(vector, thin, limit=limit)
            except StoreError:  # who looks after it tells it
                return None
            found = await self._tested(asked, vector, [*later.union(key for key, _ in hits)])
            if len(found) >= asked.limit:
                return found[: asked.limit]
            if limit == MOST_ASKED:
                break
        return None

    async def _has_few(self, asked: VectorQuestion) -> bool:
        rows = in_scope(asked.scope, asked.statuses)
        return await self._reader.count(rows, most=FEW + 1) <= FEW

    async def _later(self, tenant: str, index: NamedIndex) -> set[int] | None:
        """What was changed since the index was told; None if it does not know all before."""
        with self._scripts.refusing():
            mark = await index.marks.mark(index.name)
        if mark is None or mark.position is not None:
            return None
        begins = await self._scripts.few(_BEGINS, {"name": LOG_BEGINS})
        if begins and mark.seq < begins[0][0]:
            return None
        lines = await self._scripts.few(_SINCE, {"seq": mark.seq, "tenant": tenant})
        return {each for (ids,) in lines for each in positions_in(ids)}

    async def _tested(
        self, asked: VectorQuestion, vector: Vector, positions: Sequence[int]
    ) -> list[ScoredMemory]:
        """Those of these that may be found, compared again."""
        tests = asked.tests()
        there = await self._reader.at(positions)
        may = [(item, known) for item, known in there.values() if tests(item)]
        if not may:
            return []
        scores = _scores([known for _, known in may], vector)
        found = [ScoredMemory(item, _clipped(s)) for (item, _), s in zip(may, scores, strict=True)]
        found.sort(key=lambda hit: (-hit.score, hit.item.id))
        return found


def _all_merged(
    best: Sequence[Sequence[ScoredMemory]],
    page: Sequence[Row],
    vectors: Sequence[Vector],
    limit: int,
    keep: Predicate | None,
) -> list[list[ScoredMemory]]:
    """The same of several questions."""
    known = [row[ITEM_WIDTH] for row in page]
    return [
        _merged(each, page, _scores(known, vector), limit, keep)
        for each, vector in zip(best, vectors, strict=True)
    ]


def _merged(
    best: Sequence[ScoredMemory],
    page: Sequence[Row],
    scores: Vector,
    limit: int,
    keep: Predicate | None,
) -> list[ScoredMemory]:
    """The best of these and of a page more; of equals the first by id."""
    least = best[-1].score if len(best) == limit else -np.inf
    found: list[ScoredMemory] = []
    for at in np.argsort(-scores, kind="stable").tolist():
        if len(found) == limit or scores[at] <= least:
            break
        item = item_of(page[at])
        if keep is None or keep(item):
            found.append(ScoredMemory(item, _clipped(scores[at])))
    return sorted([*best, *found], key=lambda hit: -hit.score)[:limit]


def _scores(vectors: Sequence[bytes], query: Vector) -> Vector:
    return vector_of(b"".join(vectors)).reshape(len(vectors), -1) @ query


def _clipped(score: float) -> float:
    return float(np.clip(score, -1.0, 1.0))
