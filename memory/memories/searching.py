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
from ..index.port import IndexMarks, IndexSearch
from ..model.errors import StoreError
from ..model.types import MemoryStatus, Scope, ScoredMemory, Vector
from ..query import Filter, Predicate, predicate
from .index_filter import thin_filter
from .log import LOG_BEGINS, NOTED, positions_in
from .reading import MemoryReader
from .row_conditions import in_scope
from .rows import vector_of
from .script_runner import MemoryScripts
from .where import add_filter

FEW = 1_000
"""Memories of a scope that are compared without asking an index."""
_WIDER = (3, 30)
"""An index is asked for so many times the limit, then for more; then all are compared."""
MOST_ASKED = 2_000
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
        """By comparing all vectors of the scope, page by page; of equals the first by id."""
        rows = in_scope(asked.scope, asked.statuses)
        add_filter(asked.where, rows)
        positions: list[int] = []
        queries = np.stack(vectors)
        scores = [np.empty((0, len(vectors)), np.float32)]
        async for page in self._reader.vector_pages(rows, "id, memories.position, vector"):
            positions += [row[1] for row in page]
            compare = partial(_scores, [row[2] for row in page], queries)
            scores.append(await self._scripts.apart(compare, size=len(page) * len(vectors)))
        found = np.concatenate(scores).clip(-1.0, 1.0)
        keep = asked.tests()
        return [
            await self._reader.best(positions, each, limit=asked.limit, keep=keep)
            for each in found.T
        ]

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
        begins = await self._scripts.rows(NOTED, {"name": LOG_BEGINS}, few=True)
        if begins and mark.seq < begins[0][0]:
            return None
        lines = await self._scripts.rows(_SINCE, {"seq": mark.seq, "tenant": tenant}, few=True)
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
        known = [each for _, each in may]
        scores = _scores(known, vector[np.newaxis])[:, 0].clip(-1.0, 1.0).tolist()
        found = [ScoredMemory(item, score) for (item, _), score in zip(may, scores, strict=True)]
        found.sort(key=lambda hit: (-hit.score, hit.item.id))
        return found


def _scores(vectors: Sequence[bytes], queries: Vector) -> Vector:
    """The cosines, `float32[n, queries]`."""
    scores: Vector = vector_of(b"".join(vectors)).reshape(len(vectors), -1) @ queries.T
    return scores
