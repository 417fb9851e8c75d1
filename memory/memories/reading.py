"""Reads memories: page by page, by id or newest first."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from typing import Any

from ..database.graph.again import UNLINKED
from ..database.scripts import Row
from ..model.times import to_ms
from ..model.types import MemoryItem, StoredMemory
from ..query import Predicate, passing
from .asked import AskedRows, of_tenant
from .grounds import RESTING
from .rows import ITEM, ITEM_WIDTH, facts_of, item_of, vector_of
from .running import FEW_ROWS, MemoryScripts

PAGE_ROWS = 1_000
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
        self, asked: AskedRows, *, limit: int | None, keep: Predicate | None
    ) -> list[MemoryItem]:
        """The newest that pass, newest first; of equal times by id."""
        found: list[MemoryItem] = []
        size = PAGE_ROWS if limit is None or keep is not None else min(limit, PAGE_ROWS)
        few = asked.by_id and size <= FEW_ROWS
        after: MemoryItem | None = None
        while size > 0 and (limit is None or len(found) < limit):
            page = asked.copied()
            if after is not None:
                _older(page, after)
            items = await self._items(page, f"ORDER BY created_at DESC, id LIMIT {size}", few=few)
            found += items if keep is None else await passing(items, keep)
            if len(items) < size:
                break
            after = items[-1]
        return found if limit is None else found[:limit]

    async def items(
        self, asked: AskedRows, *, after: str | None = None, limit: int
    ) -> list[MemoryItem]:
        """The first by id, those after this one."""
        if limit <= 0:
            return []
        page = asked.copied()
        add_after(page, after)
        return await self._items(page, f"ORDER BY id LIMIT {limit}")

    async def unlinked(self, limit: int) -> list[MemoryItem]:
        """Those that are to be linked, an owner's together, oldest first."""
        asked = AskedRows()
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
        self, asked: AskedRows, *, after: str | None = None, limit: int, keep: Predicate | None
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

    async def vector_pages(
        self, asked: AskedRows, columns: str, *, after: str | None = None, limit: int | None = None
    ) -> AsyncIterator[Sequence[Row]]:
        """Rows with vectors in the order of their ids; `columns` begins with the id."""
        left = limit
        while left is None or left > 0:
            size = self.vector_rows if left is None else min(left, self.vector_rows)
            page = asked.copied()
            add_after(page, after)
            sql = f"SELECT {columns} {_WITH_VECTOR} WHERE {page.condition} ORDER BY id LIMIT {size}"
            few = size <= FEW_VECTORS and asked.by_id
            rows = await self._read(sql, self._with_embedder(page), few=few)
            if rows:
                yield rows
                after = str(rows[-1][0])
            if len(rows) < size:
                return
            left = None if left is None else left - size

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
            rows = await self._read(sql, values, few=len(some) <= FEW_ROWS)
            for item, row in zip(await self._scripts.decoded(rows, item_of), rows, strict=True):
                found[row[ITEM_WIDTH]] = item, row[ITEM_WIDTH + 1]
        return found

    async def count(self, asked: AskedRows, *, most: int | None = None) -> int:
        """How many there are; with `most` no more are looked at."""
        if most is None:
            sql = f"SELECT count(*) FROM memories WHERE {asked.condition}"  # noqa: S608 - values are apart
            [(number,)] = await self._scripts.many(sql, asked.values)
        else:
            some = f"SELECT 1 FROM memories WHERE {asked.condition} LIMIT {most}"  # noqa: S608 - the same
            [(number,)] = await self._scripts.many(
                f"SELECT count(*) FROM ({some}) AS seen",  # noqa: S608
                asked.values,
            )
        return int(number)

    async def _items(self, asked: AskedRows, more: str, *, few: bool = False) -> list[MemoryItem]:
        sql = f"SELECT {ITEM} FROM memories WHERE {asked.condition} {more}"  # noqa: S608 - values are apart
        return await self._scripts.decoded(await self._read(sql, asked.values, few=few), item_of)

    async def _read(self, sql: str, values: Mapping[str, object], *, few: bool) -> list[Row]:
        return await (self._scripts.few if few else self._scripts.many)(sql, values)

    def _with_embedder(self, asked: AskedRows) -> dict[str, object]:
        return {**asked.values, "embedder_id": self._embedder_id}


def add_after(asked: AskedRows, after: str | None) -> None:
    """Only rows with a greater id."""
    if after is not None:
        asked.add(f"id > {asked.value(after)}")


def _older(asked: AskedRows, than: MemoryItem) -> None:
    """Only rows that come after this one, newest first."""
    at = to_ms(than.created_at)
    asked.add(
        f"created_at <= {asked.value(at)} "
        f"AND (created_at < {asked.value(at)} OR id > {asked.value(than.id)})"
    )


def _memory(row: Sequence[Any]) -> StoredMemory:
    """The memory of a row of `ITEM`, its facts and its vector."""
    facts, vector = row[ITEM_WIDTH], row[ITEM_WIDTH + 1]
    return StoredMemory(item_of(row), vector_of(vector), facts_of(facts))
