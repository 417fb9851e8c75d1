"""Memories in a table of PostgreSQL, with vectors of pgvector."""

from __future__ import annotations

import builtins
import heapq
from collections.abc import Collection, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np

from ...memories.bm25 import scores
from ...memories.checks import checked_vector
from ...memories.fields import ROW_FIELDS
from ...model.errors import StoreError
from ...model.ports import ACTIVE, Analyzer
from ...model.types import (
    MemoryItem,
    MemoryStatus,
    OwnerRef,
    Scope,
    ScoredMemory,
    StoredMemory,
    Vector,
)
from ...model.wide import Counted
from ...query import EVERYTHING, Filter, passing, predicate
from . import sql
from .counting import tally
from .database import Tables
from .reading import decoded, pages
from .rows import VECTOR, ids_of, to_item, to_memory, values_of
from .schema import TYPES
from .sql import RowCondition
from .text import escaped, unescaped
from .where import add_filter

_ITEM = ", ".join(ROW_FIELDS)
_MEMORY = f"{_ITEM}, {VECTOR}"
_PAGE_ROWS = 1_000
_PAGE_BYTES = 2 * 1024 * 1024
"""Vectors of one page: an answer is read on the event loop, a millisecond per megabyte."""
_ROW_BYTES = 64
_NEWEST = "ORDER BY created_at DESC, id"


class PgvectorStore:
    """`VectorStore` and `KeywordSearch` in one table. Use `PgvectorBackend.open`.

    A search compares all rows of its scope: exact, whatever the filter. All reads are fresh.
    """

    def __init__(self, tables: Tables, *, dim: int, terms: Analyzer | None = None) -> None:
        self._tables = tables
        self._dim = dim
        self._terms = terms
        self.keywords = terms is not None
        self._upsert = _upsert(tables.table)
        self._vector_rows = max(1, _PAGE_BYTES // (4 * dim + _ROW_BYTES))
        self._closed = False

    async def put(self, memories: Sequence[StoredMemory]) -> None:
        """Insert or replace, all or none.

        Raises:
            InvalidInputError: a value does not fit; nothing was written.
            StoreError: PostgreSQL refused or failed; nothing was written.
        """
        self._check_open()
        rows = {each.item.id: values_of(each, self._dim, self._terms) for each in memories}
        if rows:
            # In the order of the ids, so that two writers wait for each other only one way.
            await self._tables.insert([rows[each] for each in sorted(rows)], self._upsert)

    async def search(
        self,
        scope: Scope,
        vector: Vector,
        *,
        limit: int,
        statuses: Collection[MemoryStatus] = ACTIVE,
        where: Filter = EVERYTHING,
        fresh: bool = False,  # noqa: ARG002 - every read here is fresh
    ) -> builtins.list[ScoredMemory]:
        query = checked_vector(vector, self._dim)
        asked, exact = self._asked(scope, statuses, where)
        if limit <= 0:
            return []
        if not exact:
            return await self._nearest(asked, query, where, limit)
        near = f"vector <#> {asked.value(query.tolist(), 'real[]')}::vector"
        columns = f"{_ITEM}, -({near}) AS score"
        rows = await self._tables.select(columns, asked, f"ORDER BY {near}, id LIMIT {limit}")
        return await decoded(rows, _hit)

    async def search_keywords(
        self,
        scope: Scope,
        terms: Sequence[str],
        *,
        limit: int,
        statuses: Collection[MemoryStatus] = ACTIVE,
        where: Filter = EVERYTHING,
    ) -> builtins.list[ScoredMemory]:
        asked, exact = self._asked(scope, statuses, where)
        if not self.keywords:
            raise StoreError("the memory store cannot search for keywords")
        keep = None if exact else predicate(where)
        [(rows, mean)] = await self._tables.select(
            "count(*), coalesce(avg(cardinality(terms)), 0)::float8", asked
        )
        wanted = asked.value([escaped(term) for term in terms], "text[]")
        asked.add(f"terms && {wanted}")
        found = await self._tables.select("id, terms", asked)
        having = {unescaped(row["id"]): [unescaped(one) for one in row["terms"]] for row in found}
        scored = scores(having, terms, rows=rows, mean=mean)
        best = heapq.nlargest(len(scored) if keep else limit, scored, key=scored.__getitem__)
        items = {item.id: item for item in await self._items(sql.of_tenant(scope.tenant, best))}
        kept = [items[each] for each in best if each in items]
        if keep is not None:
            kept = await passing(kept, keep)
        return [ScoredMemory(item, scored[item.id]) for item in kept[: max(limit, 0)]]

    async def get(self, tenant: str, ids: Sequence[str]) -> builtins.list[MemoryItem]:
        self._check_open()
        return await self._items(sql.of_tenant(tenant, ids)) if ids else []

    async def list(
        self,
        scope: Scope,
        *,
        limit: int | None,
        statuses: Collection[MemoryStatus] = ACTIVE,
        where: Filter = EVERYTHING,
    ) -> builtins.list[MemoryItem]:
        asked, exact = self._asked(scope, statuses, where)
        if limit is not None and exact:
            return await self._items(asked, f"{_NEWEST} LIMIT {max(limit, 0)}")
        items: builtins.list[MemoryItem] = []
        async for page in pages(self._tables, asked, _ITEM, size=_PAGE_ROWS):
            found = await decoded(page, to_item)
            items += found if exact else await passing(found, predicate(where))
        items.sort(key=lambda item: (-item.created_at.timestamp(), item.id))
        return items if limit is None else items[: max(limit, 0)]

    async def load(
        self,
        scope: Scope,
        *,
        limit: int,
        statuses: Collection[MemoryStatus] = ACTIVE,
        where: Filter = EVERYTHING,
        fresh: bool = False,  # noqa: ARG002 - every read here is fresh
    ) -> builtins.list[StoredMemory]:
        asked, exact = self._asked(scope, statuses, where)
        return await self._first(asked, limit, None if exact else where)

    async def count(
        self,
        scope: Scope,
        *,
        statuses: Collection[MemoryStatus] = ACTIVE,
        where: Filter = EVERYTHING,
        fresh: bool = False,  # noqa: ARG002 - every read here is fresh
    ) -> int:
        asked, exact = self._asked(scope, statuses, where)
        if exact:
            return await self._count(asked)
        return len(await self.list(scope, limit=None, statuses=statuses, where=where))

    async def count_all(self) -> int:
        """How many rows there are."""
        return await self._count(RowCondition())

    async def scan(
        self, *, after: str | None, limit: int, owner_ref: OwnerRef | None = None
    ) -> builtins.list[StoredMemory]:
        self._check_open()
        asked = sql.owned(owner_ref)
        asked.after(after)
        return await self._first(asked, limit)

    async def walk(
        self, owner_ref: OwnerRef, *, after: str | None, limit: int
    ) -> builtins.list[MemoryItem]:
        self._check_open()
        asked = sql.owned(owner_ref)
        asked.after(after)
        return await self._items(asked, f"ORDER BY id LIMIT {max(limit, 0)}")

    async def tally(
        self,
        owner_ref: OwnerRef | None,
        *,
        turns: AbstractSet[str] = frozenset(),
        waiting: bool = False,
    ) -> Counted:
        self._check_open()
        return await tally(self._tables, sql.owned(owner_ref), turns, waiting=waiting)

    async def owners(self, ids: Sequence[str]) -> dict[str, str]:
        self._check_open()
        asked = RowCondition()
        asked.add(f"id = ANY({asked.value([escaped(each) for each in ids], 'text[]')})")
        rows = await self._tables.select("id, tenant", asked)
        return dict(zip(ids_of(rows), (row["tenant"] for row in rows), strict=True))

    async def delete(self, tenant: str, ids: Sequence[str]) -> None:
        self._check_open()
        if ids:
            await self._delete(sql.of_tenant(tenant, sorted(set(ids))))

    async def reset(self, tenant: str) -> None:
        self._check_open()
        await self._delete(sql.of_tenant(tenant))

    async def maintain(self) -> None:
        """Nothing to do: PostgreSQL tidies up by itself."""
        self._check_open()

    async def ping(self) -> None:
        self._check_open()
        # A write that changes nothing, sent only after one was refused.
        await self._tables.ping(f"LOCK TABLE {self._tables.table} IN ROW EXCLUSIVE MODE")

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            await self._tables.close()

    def _asked(
        self, scope: Scope, statuses: Collection[MemoryStatus], where: Filter
    ) -> tuple[RowCondition, bool]:
        """The condition, and whether nothing of the filter is left to test here."""
        self._check_open()
        asked = sql.in_scope(scope, statuses)
        return asked, add_filter(where, asked)

    async def _items(self, asked: RowCondition, more: str = "") -> builtins.list[MemoryItem]:
        return await decoded(await self._tables.select(_ITEM, asked, more), to_item)

    async def _first(
        self, asked: RowCondition, limit: int, where: Filter | None = None
    ) -> builtins.list[StoredMemory]:
        """The first that pass, in the order of their ids."""
        if limit <= 0:
            return []
        keep = None if where is None else predicate(where)
        size = self._vector_rows if keep else min(self._vector_rows, limit)
        memories: builtins.list[StoredMemory] = []
        async for page in pages(self._tables, asked, _MEMORY, size=size):
            found = await decoded(page, to_memory)
            memories += found if keep is None else await passing(found, lambda m: keep(m.item))
            if len(memories) >= limit:
                break
        return memories[:limit]

    async def _nearest(
        self, asked: RowCondition, query: Vector, where: Filter, limit: int
    ) -> builtins.list[ScoredMemory]:
        """The nearest of those that pass a filter that SQL cannot say: all are read."""
        best: builtins.list[ScoredMemory] = []
        keep = predicate(where)
        async for page in pages(self._tables, asked, _MEMORY, size=self._vector_rows):
            found = await passing(await decoded(page, to_memory), lambda one: keep(one.item))
            best += [ScoredMemory(one.item, _clipped(np.dot(one.vector, query))) for one in found]
            best = heapq.nlargest(limit, best, key=lambda hit: hit.score)
        return best

    async def _count(self, asked: RowCondition) -> int:
        [row] = await self._tables.select("count(*)", asked)
        return int(row[0])

    async def _delete(self, asked: RowCondition) -> None:
        await self._tables.fetch(
            f"DELETE FROM {self._tables.table} WHERE {asked.condition}",  # noqa: S608 - values are apart
            *asked.values,
        )

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError("the memory store is closed")


def _hit(row: Any) -> ScoredMemory:
    return ScoredMemory(to_item(row), _clipped(row["score"]))


def _clipped(score: float) -> float:
    return float(np.clip(score, -1.0, 1.0))


def _upsert(table: str) -> str:
    places = ", ".join(
        f"${number}::{kind}" + ("::vector" if name == "vector" else "")
        for number, (name, kind) in enumerate(TYPES.items(), start=1)
    )
    changes = ", ".join(f"{name} = EXCLUDED.{name}" for name in TYPES if name != "id")
    return (
        f"INSERT INTO {table} ({', '.join(TYPES)}) VALUES ({places}) "  # noqa: S608 - constants
        f"ON CONFLICT (id) DO UPDATE SET {changes}"
    )
