"""Finds memories by their words: the terms of a scope's rows, ranked by BM25."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from ..database.scripts import Row
from ..model.types import ScoredMemory
from ..query import Predicate
from .bm25 import scores
from .reading import MemoryReader
from .row_conditions import RowConditions
from .rows import parted
from .script_runner import MemoryScripts


class KeywordIndex:
    """Searches by words. Raises StoreError."""

    def __init__(self, scripts: MemoryScripts, reader: MemoryReader) -> None:
        self._scripts = scripts
        self._reader = reader

    async def best(
        self, asked: RowConditions, terms: Sequence[str], *, limit: int, keep: Predicate
    ) -> list[ScoredMemory]:
        """The best that have any of these terms and pass."""
        if limit <= 0 or not terms:
            return []
        positions: list[int] = []
        read = _Read(terms)
        async for page in self._reader.term_pages(asked):
            positions += [row[1] for row in page]
            await self._scripts.apart(partial(read.add, page), size=len(page))
        work = partial(scores, read.postings.values(), read.lengths)
        found = await self._scripts.apart(work, size=len(positions))
        return await self._reader.best(
            positions, found, most=int(np.count_nonzero(found)), limit=limit, keep=keep
        )


class _Read:
    """What was read of rows, in their order."""

    def __init__(self, terms: Sequence[str]) -> None:
        self.postings: dict[str, dict[int, int]] = {term: {} for term in terms}
        """By term of the query: how often each row has it."""
        self.lengths: list[int] = []

    def add(self, page: Sequence[Row]) -> None:
        postings, lengths = self.postings, self.lengths
        for _, _, joined in page:
            terms = parted(joined)
            for term in terms:
                if (counts := postings.get(term)) is not None:
                    counts[len(lengths)] = counts.get(len(lengths), 0) + 1
            lengths.append(len(terms))
