"""The points of one collection of Chroma."""

from __future__ import annotations

import heapq
import json
from collections.abc import AsyncIterator, Collection, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...model.types import MemoryStatus, Scope, Vector
from ..shared.points import RANK, rank_of
from ..shared.rows import Row
from . import where
from .client import ChromaClient
from .where import Where

if TYPE_CHECKING:
    from chromadb.api import ClientAPI

_BATCH = 256
"""Points of one call."""
_IDS = 1_000
"""Ids of one call."""


class ChromaPoints:
    """`Points` of one collection.

    Its graph of neighbours is approximate, and loses some where a filter leaves few: `nearest`
    compares the vectors of all that pass instead.
    """

    def __init__(self, client: ChromaClient, name: str, *, shared: bool = False) -> None:
        """`shared`: somebody else closes the client."""
        self._client = client
        self._name = name
        self._shared = shared
        self.language = where.ChromaLanguage()

    def in_scope(self, scope: Scope, statuses: Collection[MemoryStatus]) -> Where:
        return where.in_scope(scope, statuses)

    def of_tenant(self, tenant: str) -> Where:
        return where.of_tenant(tenant)

    def with_ids(self, ids: Collection[str]) -> Where:
        return where.among("id", sorted(ids))

    async def put(self, rows: Sequence[Row]) -> None:
        for start in range(0, len(rows), _BATCH):
            some = rows[start : start + _BATCH]
            ids = [row["id"] for row in some]
            gone = await self._gone(ids)
            await self._run(
                "put",
                lambda c, ids=ids, some=some, gone=gone: c.upsert(
                    ids=ids,
                    embeddings=[row["vector"].tolist() for row in some],
                    metadatas=[gone.get(row["id"], {}) | _payload(row) for row in some],
                ),
            )

    async def _gone(self, ids: Sequence[str]) -> dict[str, dict[str, None]]:
        """The texts of the metadata that rows had: an upsert keeps what it does not name."""
        known = await self._run("put", lambda c: c.get(ids=list(ids), include=["metadatas"]))
        had = zip(known["ids"], known["metadatas"], strict=True)
        return {
            memory_id: dict.fromkeys(key for key in payload if key.startswith(where.FACET))
            for memory_id, payload in had
        }

    async def pages(
        self, asked: Where | None, *, fields: Sequence[str], size: int, vectors: bool = False
    ) -> AsyncIterator[Sequence[Row]]:
        del fields  # Chroma gives all or none
        ids = await self._ids(asked)
        for start in range(0, len(ids), min(size, _IDS)):
            if found := await self._rows(ids[start : start + min(size, _IDS)], vectors=vectors):
                yield found

    async def page(
        self, asked: Where | None, *, after: str | None, limit: int, vectors: bool
    ) -> Sequence[Row]:
        """Chroma orders by nothing: the ids of all later rows are read for each page."""
        if after is not None:
            later: Where = {RANK: {"$gte": rank_of(after)}}
            asked = later if asked is None else self.language.every([asked, later])
        ids = await self._ids(asked)
        first = heapq.nsmallest(max(limit, 0), (i for i in ids if after is None or i > after))
        rows = await self._rows(first, vectors=vectors)
        return sorted(rows, key=lambda row: row["id"])

    async def nearest(
        self, asked: Where, vector: Vector, limit: int
    ) -> Sequence[tuple[Row, float]]:
        best: list[tuple[float, str]] = []
        ids = await self._ids(asked)
        for start in range(0, len(ids), _IDS):
            some = ids[start : start + _IDS]
            found = await self._run(
                "search", lambda c, some=some: c.get(ids=some, include=["embeddings"])
            )
            if found["ids"]:
                scores = np.asarray(found["embeddings"], dtype=np.float32) @ vector
                pairs = zip(map(float, scores), found["ids"], strict=True)
                best = heapq.nlargest(limit, [*best, *pairs])
        rows = {row["id"]: row for row in await self._rows([one for _, one in best], vectors=False)}
        return [(rows[one], score) for score, one in best if one in rows]

    async def count(self, asked: Where | None) -> int:
        if asked is None:
            return int(await self._run("count", lambda c: c.count()))
        return len(await self._ids(asked))

    async def delete(self, asked: Where) -> None:
        await self._run("delete", lambda c: c.delete(where=asked))

    async def ping(self) -> None:
        await self._client.call("ping", lambda client: client.heartbeat())

    async def close(self) -> None:
        if not self._shared:
            await self._client.close()

    async def _ids(self, asked: Where | None) -> list[str]:
        found = await self._run("list", lambda c: c.get(where=asked, include=[]))
        return list(found["ids"])

    async def _rows(self, ids: Sequence[str], *, vectors: bool) -> list[Row]:
        if not ids:
            return []
        include = ["metadatas", "embeddings"] if vectors else ["metadatas"]
        found = await self._run("read", lambda c: c.get(ids=list(ids), include=include))
        rows = [dict(payload) for payload in found["metadatas"]]
        if vectors:
            for row, one in zip(rows, found["embeddings"], strict=True):
                row["vector"] = np.asarray(one, dtype=np.float32)
        return rows

    async def _run(self, name: str, work: Any) -> Any:
        def run(client: ClientAPI) -> Any:
            return work(client.get_collection(self._name, embedding_function=None))

        return await self._client.call(name, run)


def _payload(row: Row) -> dict[str, Any]:
    payload = {name: value for name, value in row.items() if name != "vector"}
    return payload | where.facets(json.loads(row["metadata"]))
