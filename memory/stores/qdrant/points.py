"""The points of one collection of Qdrant."""

from __future__ import annotations

import json
import uuid
from collections.abc import AsyncIterator, Collection, Sequence
from typing import Any

import numpy as np
from qdrant_client import models

from ...memories.fields import ROW_FIELDS
from ...model.types import MemoryStatus, Scope, Vector
from ..shared.points import RANK, rank_of
from ..shared.rows import Row
from . import where
from .client import Client

_NAMESPACE = uuid.UUID("4e6f7a1c-3a57-5b53-9d0c-6f1f0f9f2c11")
"""Of the ids of points: Qdrant's are numbers or UUIDs, ours are texts."""
_BATCH = 256
"""Points of one request."""
_EXACT = models.SearchParams(exact=True)
"""A server compares every point that passes: its graph loses some where a filter leaves few."""
EVERY_ROW: models.Condition = models.FieldCondition(key=RANK, range=models.Range(gte=0))
"""What all rows pass, and the point that names the embedder does not."""


class QdrantPoints:
    """`Points` under one alias."""

    def __init__(self, client: Client, name: str, *, shared: bool = False) -> None:
        """`shared`: somebody else closes the client."""
        self._client = client
        self._name = name
        self._shared = shared
        self.language = where.QdrantLanguage()

    def in_scope(self, scope: Scope, statuses: Collection[MemoryStatus]) -> models.Condition:
        return where.in_scope(scope, statuses)

    def of_tenant(self, tenant: str) -> models.Condition:
        return where.of_tenant(tenant)

    def with_ids(self, ids: Collection[str]) -> models.Condition:
        return models.HasIdCondition(has_id=sorted(map(point_id, ids)))

    async def put(self, rows: Sequence[Row]) -> None:
        for start in range(0, len(rows), _BATCH):
            points = [_point(row) for row in rows[start : start + _BATCH]]
            await self._call("upsert", points=points, wait=True)

    async def pages(
        self,
        asked: models.Condition | None,
        *,
        fields: Sequence[str],
        size: int,
        vectors: bool = False,
    ) -> AsyncIterator[Sequence[Row]]:
        offset: Any = None
        while True:
            found, offset = await self._call(
                "scroll",
                scroll_filter=_all(asked),
                limit=size,
                offset=offset,
                with_payload=list(fields),
                with_vectors=vectors,
            )
            if found:
                yield [_row(one) for one in found]
            if offset is None:
                return

    async def page(
        self, asked: models.Condition | None, *, after: str | None, limit: int, vectors: bool
    ) -> Sequence[Row]:
        """By rank: Qdrant orders by numbers only, so the ids of the last rank are read at once."""
        if limit <= 0:
            return []
        floor = 0 if after is None else rank_of(after)
        while True:
            rows, full = await self._from(asked, floor, limit, vectors=vectors)
            later = [row for row in rows if after is None or row["id"] > after]
            if later or not full:
                return sorted(later, key=lambda row: row["id"])[:limit]
            floor = max(rank_of(row["id"]) for row in rows) + 1

    async def _from(
        self, asked: models.Condition | None, floor: int, limit: int, *, vectors: bool
    ) -> tuple[list[Row], bool]:
        """Rows with this rank or a greater one, whole ranks only; whether there may be more."""
        rows = await self._ordered(asked, floor, limit, vectors=vectors)
        if len(rows) < limit:
            return rows, False
        last = max(rank_of(row["id"]) for row in rows)
        if whole := [row for row in rows if rank_of(row["id"]) < last]:
            return whole, True
        only = models.FieldCondition(key=RANK, range=models.Range(gte=last, lte=last))
        every: list[Row] = []
        of_rank = self.language.every([only] if asked is None else [asked, only])
        async for page in self.pages(of_rank, fields=ROW_FIELDS, size=limit, vectors=vectors):
            every += page
        return every, True

    async def _ordered(
        self, asked: models.Condition | None, floor: int, limit: int, *, vectors: bool
    ) -> list[Row]:
        found, _ = await self._call(
            "scroll",
            scroll_filter=_all(
                asked, models.FieldCondition(key=RANK, range=models.Range(gte=floor))
            ),
            limit=limit,
            order_by=models.OrderBy(key=RANK, direction=models.Direction.ASC),
            with_payload=ROW_FIELDS,
            with_vectors=vectors,
        )
        return [_row(one) for one in found]

    async def nearest(
        self, asked: models.Condition, vector: Vector, limit: int
    ) -> Sequence[tuple[Row, float]]:
        found = await self._call(
            "query_points",
            query=vector.tolist(),
            query_filter=_all(asked),
            search_params=None if self._client.embedded else _EXACT,
            limit=limit,
            with_payload=ROW_FIELDS,
        )
        return [(_row(one), float(one.score)) for one in found.points]

    async def count(self, asked: models.Condition | None) -> int:
        found = await self._call("count", count_filter=_all(asked), exact=True)
        return int(found.count)

    async def delete(self, asked: models.Condition) -> None:
        selector = models.FilterSelector(filter=_all(asked))
        await self._call("delete", points_selector=selector, wait=True)

    async def ping(self) -> None:
        await self._call("count", count_filter=None, exact=False)

    async def close(self) -> None:
        if not self._shared:
            await self._client.close()

    async def _call(self, name: str, **arguments: Any) -> Any:
        return await self._client.call(name, collection_name=self._name, **arguments)


def point_id(memory_id: str) -> str:
    """The id of a memory's point."""
    return str(uuid.uuid5(_NAMESPACE, memory_id))


def _all(*asked: models.Condition | None) -> models.Filter:
    return models.Filter(must=[EVERY_ROW, *(one for one in asked if one is not None)])


def _point(row: Row) -> models.PointStruct:
    payload = {name: value for name, value in row.items() if name != "vector"}
    payload[where.FACETS] = json.loads(row["metadata"])
    return models.PointStruct(
        id=point_id(row["id"]), vector=np.asarray(row["vector"]).tolist(), payload=payload
    )


def _row(found: Any) -> Row:
    row: Row = dict(found.payload)
    if found.vector is not None:
        row["vector"] = np.asarray(found.vector, dtype=np.float32)
    return row
