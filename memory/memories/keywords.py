"""Finds memories by their words: rows that have some of them, ranked by BM25."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from typing import Any

from ..database.scripts import Row
from ..model.types import ScoredMemory
from ..query import Predicate, passing
from .asked import AskedRows
from .bm25 import scores
from .reading import MemoryReader
from .rows import joined, parted
from .running import MemoryScripts
from .where import pattern

MOST_TERMS = 50
"""Of one statement; for more the terms of all rows are read."""
# Before, between and behind terms stands a space.
_LENGTH = "length(terms) - length(replace(terms, ' ', '')) - 1"
_PAGE = 5_000


class KeywordIndex:
    """Searches by words. Raises StoreError."""

    def __init__(self, scripts: MemoryScripts, reader: MemoryReader) -> None:
        self._scripts = scripts
        self._reader = reader

    async def best(
        self, asked: AskedRows, terms: Sequence[str], *, limit: int, keep: Predicate
    ) -> list[ScoredMemory]:
        """The best that have any of these terms and pass."""
        if limit <= 0 or not terms:
            return []
        sql = f"SELECT count(*), avg({_LENGTH}) FROM memories WHERE {asked.condition}"  # noqa: S608 - values are apart
        [(rows, mean)] = await self._scripts.many(sql, asked.values)
        having = await self._having(asked, terms)
        scored = await self._scripts.apart(
            lambda: scores(having, terms, rows=rows, mean=float(mean or 0)), size=len(having)
        )
        order = heapq.nlargest(len(scored), scored, key=scored.__getitem__)
        found: list[ScoredMemory] = []
        for start in range(0, len(order), limit):
            places = [each for each in order[start : start + limit] if scored[each] > 0]
            there = await self._reader.at(places)
            ranked = [(there[each][0], each) for each in places if each in there]
            kept = await passing(ranked, lambda one: keep(one[0]))
            found += [ScoredMemory(item, scored[each]) for item, each in kept]
            if len(found) >= limit or not places:
                break
        return found[:limit]

    async def _having(self, asked: AskedRows, terms: Sequence[str]) -> dict[int, list[str]]:
        """The terms of rows that may have any of these, by position."""
        rows = asked.copied()
        patterns = [pattern(joined([term])) for term in set(terms)]
        if len(patterns) <= MOST_TERMS and None not in patterns:
            likes = (f"terms LIKE {rows.value(each)}" for each in patterns)
            rows.add(f"({' OR '.join(likes)})")
        found: dict[int, list[str]] = {}
        after: Any = None
        while True:
            page = rows.copied()
            if after is not None:
                page.add(f"id > {page.value(after)}")
            sql = f"""
                SELECT id, position, terms FROM memories WHERE {page.condition}
                ORDER BY id LIMIT {_PAGE}
            """  # noqa: S608 - values are apart
            some = await self._scripts.many(sql, page.values)
            found |= dict(await self._scripts.decoded(some, _terms))
            if len(some) < _PAGE:
                return found
            after = some[-1][0]


def _terms(row: Row) -> tuple[int, list[str]]:
    return row[1], parted(row[2])
