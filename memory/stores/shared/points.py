"""A `VectorStore` over any store of points: payloads with vectors, and filters on payloads."""

from __future__ import annotations

import asyncio
import builtins
import heapq
from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Generic, Protocol, TypeVar

import numpy as np

from ...memories.checks import checked_vector
from ...memories.fields import ROW_FIELDS
from ...model.errors import StoreError
from ...model.ports import ACTIVE
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
from ...query.evaluate import Predicate
from ...query.narrowing import Language, Narrowed, narrowed
from .rows import COUNTED, Row, count_row, to_item, to_memory, to_row

F = TypeVar("F")
T = TypeVar("T")

_SLICE = 100
"""Rows decoded before other tasks get a turn: about a millisecond."""
_PAGE_ROWS = 1_000
_PAGE_BYTES = 2 * 1024 * 1024
"""Vectors of one page."""
_RANK_BYTES = 6
"""So that a rank is exact as a float of 64 bits, in which stores compare numbers."""
RANK = "rank"


def rank_of(memory_id: str) -> int:
    """A number below 2**48 that orders as ids do: a store of points orders by numbers only.

    Ids with the same first six bytes have the same one.
    """
    head = memory_id.encode("utf-8", "replace")[:_RANK_BYTES]
    return int.from_bytes(head.ljust(_RANK_BYTES, b"\0"), "big")


class Points(Protocol[F]):
    """A collection of points. `F` is its kind of filter. Raises StoreError only."""

    @property
    def language(self) -> Language[F]:
        """How it says conditions on the fields of a row."""

    def in_scope(self, scope: Scope, statuses: Collection[MemoryStatus]) -> F:
        """Rows that the scope admits, with one of these statuses."""

    def of_tenant(self, tenant: str) -> F:
        """The rows of a tenant."""

    def with_ids(self, ids: Collection[str]) -> F:
        """Rows with these ids."""

    async def put(self, rows: Sequence[Row]) -> None:
        """Insert, or replace by id. Durable, and seen by every later read, when it returns."""

    def pages(
        self, asked: F | None, *, fields: Sequence[str], size: int, vectors: bool = False
    ) -> AsyncIterator[Sequence[Row]]:
        """All rows that pass, in any order; no page is empty."""

    async def page(
        self, asked: F | None, *, after: str | None, limit: int, vectors: bool
    ) -> Sequence[Row]:
        """The first rows that pass, in the order of their ids, those after this one."""

    async def nearest(self, asked: F, vector: Vector, limit: int) -> Sequence[tuple[Row, float]]:
        """The rows with the largest inner products, best first. Exact."""

    async def count(self, asked: F | None) -> int: ...

    async def delete(self, asked: F) -> None: ...

    async def ping(self) -> None: ...

    async def close(self) -> None: ...


class PointStore(Generic[F]):
    """Memories as points. All reads are fresh."""

    def __init__(self, points: Points[F], *, dim: int) -> None:
        self._points = points
        self._dim = dim
        self._vector_rows = max(1, min(_PAGE_ROWS, _PAGE_BYTES // (4 * dim)))
        self._closed = False

    async def put(self, memories: Sequence[StoredMemory]) -> None:
        """Insert or replace.

        Raises:
            InvalidInputError: a value does not fit; nothing was written.
            StoreError: the store refused or failed; some memories may have been written.
        """
        self._check_open()
        rows = {each.item.id: to_row(each, self._dim) for each in memories}
        for memory_id, row in rows.items():
            row[RANK] = rank_of(memory_id)
        if rows:
            await self._points.put(list(rows.values()))

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
        self._check_open()
        query = checked_vector(vector, self._dim)
        asked, keep = self._asked(scope, statuses, where)
        if limit <= 0:
            return []
        if keep is not None:
            return await self._nearest(asked, query, keep, limit)
        found = await self._points.nearest(asked, query, limit)
        return [ScoredMemory(to_item(row), _clipped(score)) for row, score in found]

    async def get(self, tenant: str, ids: Sequence[str]) -> builtins.list[MemoryItem]:
        self._check_open()
        if not ids:
            return []
        return await self._items(self._both(self._points.of_tenant(tenant), ids))

    async def list(
        self,
        scope: Scope,
        *,
        limit: int | None,
        statuses: Collection[MemoryStatus] = ACTIVE,
        where: Filter = EVERYTHING,
    ) -> builtins.list[MemoryItem]:
        self._check_open()
        asked, keep = self._asked(scope, statuses, where)
        items = await self._items(asked, keep)
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
        self._check_open()
        asked, keep = self._asked(scope, statuses, where)
        memories: builtins.list[StoredMemory] = []
        pages = self._points.pages(asked, fields=ROW_FIELDS, size=self._vector_rows, vectors=True)
        async for page in pages:
            memories += await _decoded(page, to_memory, keep)
        return heapq.nsmallest(max(limit, 0), memories, key=lambda one: one.item.id)

    async def count(
        self,
        scope: Scope,
        *,
        statuses: Collection[MemoryStatus] = ACTIVE,
        where: Filter = EVERYTHING,
        fresh: bool = False,  # noqa: ARG002 - every read here is fresh
    ) -> int:
        self._check_open()
        asked, keep = self._asked(scope, statuses, where)
        if keep is None:
            return await self._points.count(asked)
        return len(await self._items(asked, keep))

    async def count_all(self) -> int:
        """How many rows there are."""
        self._check_open()
        return await self._points.count(None)

    async def scan(
        self, *, after: str | None, limit: int, owner_ref: OwnerRef | None = None
    ) -> builtins.list[StoredMemory]:
        self._check_open()
        asked = self._owned(owner_ref)
        rows = await self._points.page(
            asked, after=after, limit=min(limit, self._vector_rows), vectors=True
        )
        return await _decoded(rows, to_memory)

    async def walk(
        self, owner_ref: OwnerRef, *, after: str | None, limit: int
    ) -> builtins.list[MemoryItem]:
        self._check_open()
        asked = self._owned(owner_ref)
        rows = await self._points.page(asked, after=after, limit=limit, vectors=False)
        return await _decoded(rows, to_item)

    async def tally(
        self,
        owner_ref: OwnerRef | None,
        *,
        turns: AbstractSet[str] = frozenset(),
        waiting: bool = False,
    ) -> Counted:
        self._check_open()
        fields = [*COUNTED, "provenance"] if turns or waiting else COUNTED
        tally = Counted()
        pages = self._points.pages(self._owned(owner_ref), fields=fields, size=_PAGE_ROWS)
        async for page in pages:
            await _decoded(page, lambda row: count_row(tally, row, turns, waiting=waiting))
        return tally

    async def owners(self, ids: Sequence[str]) -> dict[str, str]:
        self._check_open()
        if not ids:
            return {}
        found: dict[str, str] = {}
        pages = self._points.pages(
            self._points.with_ids(set(ids)), fields=("id", "tenant"), size=_PAGE_ROWS
        )
        async for page in pages:
            found.update({row["id"]: row["tenant"] for row in page})
        return found

    async def delete(self, tenant: str, ids: Sequence[str]) -> None:
        self._check_open()
        if ids:
            await self._points.delete(self._both(self._points.of_tenant(tenant), ids))

    async def reset(self, tenant: str) -> None:
        self._check_open()
        await self._points.delete(self._points.of_tenant(tenant))

    async def maintain(self) -> None:
        """Nothing to do: the store tidies up by itself."""
        self._check_open()

    async def ping(self) -> None:
        self._check_open()
        await self._points.ping()

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            await self._points.close()

    def _asked(
        self, scope: Scope, statuses: Collection[MemoryStatus], where: Filter
    ) -> tuple[F, Predicate | None]:
        """What to ask the store for, and what is left to test here."""
        made: Narrowed[F] = narrowed(where, self._points.language)
        asked = self._points.in_scope(scope, statuses)
        if made.said is not None:
            asked = self._points.language.every([asked, made.said])
        return asked, None if made.exact else predicate(where)

    def _owned(self, owner_ref: OwnerRef | None) -> F | None:
        """All rows of an owner; of None those of all, for upkeep and never for answering."""
        if isinstance(owner_ref, Scope):
            return self._points.in_scope(owner_ref, list(MemoryStatus))
        return None if owner_ref is None else self._points.of_tenant(owner_ref)

    def _both(self, asked: F, ids: Sequence[str]) -> F:
        return self._points.language.every([asked, self._points.with_ids(set(ids))])

    async def _items(self, asked: F, keep: Predicate | None = None) -> builtins.list[MemoryItem]:
        items: builtins.list[MemoryItem] = []
        async for page in self._points.pages(asked, fields=ROW_FIELDS, size=_PAGE_ROWS):
            found = await _decoded(page, to_item)
            items += found if keep is None else await passing(found, keep)
        return items

    async def _nearest(
        self, asked: F, query: Vector, keep: Predicate, limit: int
    ) -> builtins.list[ScoredMemory]:
        """The nearest of those that pass a filter that the store cannot say: all are read."""
        best: builtins.list[ScoredMemory] = []
        pages = self._points.pages(asked, fields=ROW_FIELDS, size=self._vector_rows, vectors=True)
        async for page in pages:
            best += [
                ScoredMemory(one.item, _clipped(float(np.dot(one.vector, query))))
                for one in await _decoded(page, to_memory, keep)
            ]
            best = heapq.nlargest(limit, best, key=lambda hit: hit.score)
        return best

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError("the memory store is closed")


async def _decoded(
    rows: Sequence[Row], decode: Callable[[Mapping[str, Any]], T], keep: Predicate | None = None
) -> builtins.list[T]:
    """What these rows hold; with `keep` those memories that pass it."""
    found: builtins.list[T] = []
    for start in range(0, len(rows), _SLICE):
        some = [decode(row) for row in rows[start : start + _SLICE]]
        found += some if keep is None else [one for one in some if keep(one.item)]  # type: ignore[attr-defined]
        await asyncio.sleep(0)
    return found


def _clipped(score: float) -> float:
    return float(np.clip(score, -1.0, 1.0))
