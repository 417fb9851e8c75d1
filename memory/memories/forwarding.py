"""A store that passes calls on to another store."""

from __future__ import annotations

import builtins
from collections.abc import Collection, Sequence

from ..model.errors import StoreError
from ..model.ports import ACTIVE, KeywordSearch, VectorStore
from ..model.types import MemoryStatus, Scope, ScoredMemory
from ..query import EVERYTHING, Filter


class ForwardingStore:
    """A `VectorStore` and `KeywordSearch` whose reads are those of another; it has its own writes.

    They are the other's methods themselves: nothing stands between.
    """

    def __init__(self, inner: VectorStore) -> None:
        self._inner = inner
        self.search, self.search_each = inner.search, inner.search_each
        self.get, self.resting_on = inner.get, inner.resting_on
        self.list, self.load, self.count = inner.list, inner.load, inner.count
        self.scan, self.walk, self.tally = inner.scan, inner.walk, inner.tally
        self.ping, self.close = inner.ping, inner.close

    @property
    def keywords(self) -> bool:
        return isinstance(self._inner, KeywordSearch) and self._inner.keywords

    async def search_keywords(
        self,
        scope: Scope,
        terms: Sequence[str],
        *,
        limit: int,
        statuses: Collection[MemoryStatus] = ACTIVE,
        where: Filter = EVERYTHING,
    ) -> builtins.list[ScoredMemory]:
        if not isinstance(self._inner, KeywordSearch):
            raise StoreError("the memory store cannot search for keywords")
        return await self._inner.search_keywords(
            scope, terms, limit=limit, statuses=statuses, where=where
        )
