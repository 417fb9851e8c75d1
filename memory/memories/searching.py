"""Finds the nearest memories: exactly, or through an index that may be wrong about everything.

Whatever proposes a memory, it is read from the database, compared again and tested: an index only
decides what is looked at.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from ..database.changes import IS_OF_ROWS
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
_SINCE = f"SELECT ids FROM changes WHERE seq > :seq AND tenant = :tenant AND {IS_OF_ROWS}"  # noqa: S608 - constants


@dataclass(frozen=True, slots=True)
class NamedIndex:
    """An index, its name, and the marks that tell whether it is complete."""

    index: IndexSearch
    name: str
    marks: IndexMarks


@dataclass(frozen=True, slots=True)
class VectorQuestion:
    """What is looked for."""

    scope: Scope
    vector: Vector
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

    async def nearest(self, asked: VectorQuestion) -> list[ScoredMemory]:
        """The nearest, best first."""
        found = None
        if self._index is not None and asked.limit * _WIDER[0] <= MOST_ASKED:
            found = await self._proposed(asked, self._index)
        return await self._compared(asked) if found is None else found

    async def _compared(self, asked: VectorQuestion) -> list[ScoredMemory]:
        """By comparing all vectors of the scope, page by page."""
        rows = in_scope(asked.scope, asked.statuses)
        keep = None if add_filter(asked.where, rows) else predicate(asked.where)
        best: list[ScoredMemory] = []
        columns = f"{COLUMNS}, vector"
        async for page in self._reader.vector_pages(rows, columns):
            work = partial(_merged, best, page, asked, keep)
            best = await self._scripts.apart(work, size=len(page))
        return best

    async def _proposed(
        self, asked: VectorQuestion, index: NamedIndex
    ) -> list[ScoredMemory] | None:
        """Through the index; None if it is absent, or proposes too few."""
        later = await self._later(asked.scope.tenant, index)
        if later is None or await self._has_few(asked):
            return None
        thin = thin_filter(asked.scope, asked.statuses, asked.where)
        for times in _WIDER:
            limit = min(asked.limit * times, MOST_ASKED)
            try:
                hits = await index.index.search(asked.vector, thin, limit=limit)
            except StoreError:  # who looks after it tells it
                return None
            found = await self._tested(asked, [*later.union(key for key, _ in hits)])
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

    async def _tested(self, asked: VectorQuestion, positions: Sequence[int]) -> list[ScoredMemory]:
        """Those of these that may be found, compared again."""
        tests = asked.tests()
        there = await self._reader.at(positions)
        may = [(item, vector) for item, vector in there.values() if tests(item)]
        if not may:
            return []
        scores = _scores([vector for _, vector in may], asked.vector)
        found = [ScoredMemory(item, _clipped(s)) for (item, _), s in zip(may, scores, strict=True)]
        found.sort(key=lambda hit: (-hit.score, hit.item.id))
        return found


def _merged(
    best: Sequence[ScoredMemory],
    page: Sequence[Row],
    asked: VectorQuestion,
    keep: Predicate | None,
) -> list[ScoredMemory]:
    """The best of these and of a page more; of equals the first by id."""
    scores = _scores([row[ITEM_WIDTH] for row in page], asked.vector)
    least = best[-1].score if len(best) == asked.limit else -np.inf
    found: list[ScoredMemory] = []
    for at in np.argsort(-scores, kind="stable").tolist():
        if len(found) == asked.limit or scores[at] <= least:
            break
        item = item_of(page[at])
        if keep is None or keep(item):
            found.append(ScoredMemory(item, _clipped(scores[at])))
    return sorted([*best, *found], key=lambda hit: -hit.score)[: asked.limit]


def _scores(vectors: Sequence[bytes], query: Vector) -> Vector:
    return vector_of(b"".join(vectors)).reshape(len(vectors), -1) @ query


def _clipped(score: float) -> float:
    return float(np.clip(score, -1.0, 1.0))
