"""Reads memories: page by page, by id or newest first."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ..database.graph.pending_links import UNLINKED
from ..database.scripts import FEW_ROWS, Row
from ..model.types import MemoryItem, ScoredMemory, StoredMemory
from ..query import Predicate, passing
from ..query.cursor import ListMark, place_of
from .citations import RESTING
from .row_conditions import RowConditions, of_tenant
from .rows import ITEM, ITEM_WIDTH, facts_of, item_of, vector_of
from .script_runner import MemoryScripts

PAGE_ROWS = 1_000
_TERM_ROWS = 5_000
_MORE = 4
"""So many times as many are read after some that did not pass."""
_PAGE_BYTES = 4 * 1024 * 1024
"""Vectors of one page."""
_ROW_BYTES = 1_024
FEW_VECTORS = 16
"""Are read where they are awaited, if an index has them in their order."""
COLUMNS = ", ".join(f"memories.{name}" for name in ITEM.split(", "))
"""`ITEM` where vectors are read beside."""
_WITH_VECTOR = """
    FROM memories JOIN memory_vectors
        ON memory_vectors.position = memories.position AND memory_vectors.embedder_id = :embedder_id
"""
_CHOSEN = """
    FROM (SELECT CAST(value AS BIGINT) AS place FROM :positions[]) AS chosen
    JOIN memories ON memories.position = chosen.place
"""
"""SQLite looks up each position, whatever else is asked for."""


class MemoryReader:
    """Reads the memories with vectors of one embedder. Raises StoreError."""

    def __init__(self, scripts: MemoryScripts, *, embedder_id: str, dim: int) -> None:
        self._scripts = scripts
        self._embedder_id = embedder_id
        self.vector_rows = max(1, _PAGE_BYTES // (4 * dim + _ROW_BYTES))
        """Of one page with vectors."""

    async def newest(
        self,
        asked: RowConditions,
        *,
        limit: int | None,
        keep: Predicate | None,
        after: ListMark | None = None,
    ) -> list[MemoryItem]:
        """The newest `after` a place that pass, newest first; of equal times by id."""
        found: list[MemoryItem] = []
        size = PAGE_ROWS if limit is None or keep is not None else min(limit, PAGE_ROWS)
        few = asked.by_id and size <= FEW_ROWS
        while size > 0 and (limit is None or len(found) < limit):
            page = asked.copied()
            if after is not None:
                _older(page, after)
            items = await self._items(page, f"ORDER BY created_at DESC, id LIMIT {size}", few=few)
            found += items if keep is None else await passing(items, keep)
            if len(items) < size:
                break
            after = place_of(items[-1])
        return found if limit is None else found[:limit]

    async def items(
        self, asked: RowConditions, *, after: str | None = None, limit: int
    ) -> list[MemoryItem]:
        """The first by id, those after this one."""
        if limit <= 0:
            return []
        page = asked.copied()
        add_after(page, after)
        return await self._items(page, f"ORDER BY id LIMIT {limit}")

    async def unlinked(self, limit: int) -> list[MemoryItem]:
        """Those that are to be linked, an owner's together, oldest first."""
        asked = RowConditions(None)
        asked.add(UNLINKED)
        order = f"ORDER BY owner, created_at, id LIMIT {limit}"
        return await self._items(asked, order, few=limit <= FEW_ROWS)

    async def named(self, tenant: str, ids: Collection[str]) -> list[MemoryItem]:
        """Those of a tenant with these ids."""
        asked = of_tenant(tenant, ids)
        return await self._items(asked, "", few=len(ids) <= FEW_ROWS)

    async def resting_on(self, tenant: str, grounds: Sequence[str]) -> list[MemoryItem]:
        """Those of a tenant that name one of these digests."""
        asked = of_tenant(tenant)
        asked.add(RESTING)
        asked.values["grounds"] = grounds
        return await self._items(asked, "")

    async def memories(
        self, asked: RowConditions, *, after: str | None = None, limit: int, keep: Predicate | None
    ) -> list[StoredMemory]:
        """The first by id that pass, with their vectors."""
        found: list[StoredMemory] = []
        async for page in self.vector_pages(
            asked, f"{COLUMNS}, facts, vector", after=after, limit=None if keep else limit
        ):
            some = await self._scripts.decoded(page, _memory)
            found += some if keep is None else await passing(some, lambda one: keep(one.item))
            if len(found) >= limit:
                break
        return found[: max(limit, 0)]

    def vector_pages(
        self,
        asked: RowConditions,
        columns: str,
        *,
        after: str | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[Sequence[Row]]:
        """Rows with vectors in the order of their ids; `columns` begins with the id."""
        chosen = f"SELECT {columns} {_WITH_VECTOR}"
        return self._pages(asked, chosen, self.vector_rows, after=after, limit=limit)

    def term_pages(self, asked: RowConditions) -> AsyncIterator[Sequence[Row]]:
        """Id, position and index terms of all rows, in the order of their ids."""
        return self._pages(asked, "SELECT id, position, terms FROM memories", _TERM_ROWS)

    async def _pages(
        self,
        asked: RowConditions,
        chosen: str,
        most: int,
        *,
        after: str | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[Sequence[Row]]:
        left = limit
        while left is None or left > 0:
            size = most if left is None else min(left, most)
            page = asked.copied()
            add_after(page, after)
            sql = f"{chosen} WHERE {page.condition} ORDER BY id LIMIT {size}"
            few = size <= FEW_VECTORS and asked.by_id
            values = {**page.values, "embedder_id": self._embedder_id}
            rows = await self._scripts.rows(sql, values, few=few)
            if rows:
                yield rows
                after = str(rows[-1][0])
            if len(rows) < size:
                return
            left = None if left is None else left - size

    async def best(
        self,
        positions: Sequence[int],
        scores: npt.NDArray[np.floating[Any]],
        *,
        limit: int,
        keep: Predicate,
        most: int | None = None,
    ) -> list[ScoredMemory]:
        """The best of these memories that pass, among the first `most`; of equals the first."""
        order = np.argsort(-scores, kind="stable")[:most].tolist()
        found: list[ScoredMemory] = []
        start, size = 0, limit
        while start < len(order) and len(found) < limit:
            some = {positions[at]: float(scores[at]) for at in order[start : start + size]}
            there = await self.at([*some])
            hits = [ScoredMemory(there[at][0], some[at]) for at in some if at in there]
            found += await passing(hits, lambda hit: keep(hit.item))
            start, size = start + size, size * _MORE
        return found[:limit]

    async def at(self, positions: Sequence[int]) -> dict[int, tuple[MemoryItem, bytes]]:
        """Memories by position, with their vectors as they are kept."""
        found: dict[int, tuple[MemoryItem, bytes]] = {}
        sql = f"""
            SELECT {COLUMNS}, memories.position, vector {_CHOSEN}
            JOIN memory_vectors ON memory_vectors.position = memories.position
                AND memory_vectors.embedder_id = :embedder_id
        """
        for start in range(0, len(positions), self.vector_rows):
            some = [str(each) for each in positions[start : start + self.vector_rows]]
            values = {"positions": some, "embedder_id": self._embedder_id}
            rows = await self._scripts.rows(sql, values, few=len(some) <= FEW_ROWS)
            for item, row in zip(await self._scripts.decoded(rows, item_of), rows, strict=True):
                found[row[ITEM_WIDTH]] = item, row[ITEM_WIDTH + 1]
        return found

    async def count(self, asked: RowConditions, *, most: int | None = None) -> int:
        """How many there are; with `most` no more are looked at."""
        if most is None:
            sql = f"SELECT count(*) FROM memories WHERE {asked.condition}"  # noqa: S608 - values are apart
            [(number,)] = await self._scripts.rows(sql, asked.values)
        else:
            some = f"SELECT 1 FROM memories WHERE {asked.condition} LIMIT {most}"  # noqa: S608 - the same
            [(number,)] = await self._scripts.rows(
                f"SELECT count(*) FROM ({some}) AS seen",  # noqa: S608
                asked.values,
            )
        return int(number)

    async def _items(
        self, asked: RowConditions, more: str, *, few: bool = False
    ) -> list[MemoryItem]:
        sql = f"SELECT {ITEM} FROM memories WHERE {asked.condition} {more}"  # noqa: S608 - values are apart
        return await self._scripts.decoded(
            await self._scripts.rows(sql, asked.values, few=few), item_of
        )


def add_after(asked: RowConditions, after: str | None) -> None:
    """Only rows with a greater id."""
    if after is not None:
        asked.add(f"id > {asked.value(after)}")


def _older(asked: RowConditions, than: ListMark) -> None:
    """Only rows that come after this place, newest first."""
    asked.add(
        f"created_at <= {asked.value(than.created)} "
        f"AND (created_at < {asked.value(than.created)} OR id > {asked.value(than.id)})"
    )


def _memory(row: Sequence[Any]) -> StoredMemory:
    """The memory of a row of `ITEM`, its facts and its vector."""
    facts, vector = row[ITEM_WIDTH], row[ITEM_WIDTH + 1]
    return StoredMemory(item_of(row), vector_of(vector), facts_of(facts))
