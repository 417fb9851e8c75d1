"""A Milvus server."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import Any

import grpc  # type: ignore[import-untyped]
from pymilvus import CollectionSchema, DataType, FieldSchema, MilvusClient
from pymilvus.exceptions import MilvusException
from pymilvus.milvus_client.index import IndexParams

from ...model.types import Vector
from ..blocking import BlockingIndex
from ..options import MilvusIndexOptions
from ..port import MAX_MARKS, SCALARS, IndexFilter, IndexRow
from .expr import for_server

_MOST_HITS = 16_384
"""Of one search (Milvus, ``quotaAndLimits.limits.topK``)."""
PARTITIONS = 64
"""Physical partitions of a collection, to which users are assigned by hash: a search reads one.
Each has segments, and 2.3.5 has 4,096 for all collections; fixed when a collection is made."""
_BUILD_SECONDS = 300.0
"""Making, indexing and loading may take longer than a search."""


class MilvusIndex(BlockingIndex[MilvusIndexOptions]):
    """`VectorIndex` on a server."""

    product = "Milvus"
    errors = (MilvusException, grpc.RpcError)
    batch = 256  # a message has at most 64 MB
    server_seconds = 4 * _BUILD_SECONDS  # the client has limits of its own

    @classmethod
    def connected(cls, options: MilvusIndexOptions) -> MilvusClient:
        # It logs errors with a stack and the filter; the same errors are raised to us.
        logging.getLogger("pymilvus").setLevel(logging.CRITICAL)
        token = options.token.get_secret_value() if options.token else ""
        # Dedicated: a shared connection outlives its client and is never closed.
        return MilvusClient(
            uri=options.address, token=token, timeout=options.call_seconds, dedicated=True
        )

    def _put(self, rows: Sequence[IndexRow]) -> None:
        """Replaces by removing first: 2.3.5 loses rows that are upserted beside a partition key."""
        self._remove([row.key for row in rows])
        self._run("insert", data=list(map(_row, rows)))

    def _nearest(
        self, vector: Vector, asked: IndexFilter, limit: int
    ) -> Iterable[tuple[int, float]]:
        top = min(limit, _MOST_HITS)
        [hits] = self._run(
            "search",
            data=[vector.tolist()],
            filter=for_server(asked),
            limit=top,
            anns_field="vector",
            search_params={"metric_type": "IP", "params": {"ef": max(64, top)}},
            consistency_level="Bounded",
        )
        return [(hit["id"], hit["distance"]) for hit in hits]

    def _remove(self, keys: Sequence[int]) -> None:
        self._run("delete", filter=_among(keys))

    async def _settle(self, keys: Sequence[int]) -> None:
        """Searches read what such a read has waited for."""
        read: dict[str, Any] = {"output_fields": ["key"], "consistency_level": "Strong"}
        if keys:
            await self._call("query", lambda: self._run("query", filter=_among(keys), **read))

    def _size(self) -> int | None:
        """Also loads it, after a restart of the server."""
        if not self._run("has_collection"):
            return None
        fields = {each["name"]: each for each in self._run("describe_collection")["fields"]}
        found = int(fields.get("vector", {}).get("params", {}).get("dim") or 0)
        if "key" not in fields or found != self._dim:
            return found if "key" in fields else 0
        self._run("load_collection", _BUILD_SECONDS)
        return found

    def _make(self) -> None:
        """An interrupted one is made anew."""
        if self._run("has_collection"):
            self._run("drop_collection", _BUILD_SECONDS)
        self._run(
            "create_collection",
            _BUILD_SECONDS,
            schema=_schema(self._dim),
            num_partitions=PARTITIONS,
            consistency_level="Bounded",
        )
        self._run("create_index", _BUILD_SECONDS, index_params=_index())
        self._run("load_collection", _BUILD_SECONDS)

    def _run(self, method: str, seconds: float | None = None, **arguments: Any) -> Any:
        return getattr(self._client, method)(
            collection_name=self._collection,
            timeout=seconds or self._options.call_seconds,
            **arguments,
        )


def _schema(dim: int) -> CollectionSchema:
    fields = [
        FieldSchema("key", DataType.INT64, is_primary=True),
        *(FieldSchema(n, DataType.INT64, is_partition_key=n == "user") for n in SCALARS),
        FieldSchema("marks", DataType.ARRAY, element_type=DataType.INT64, max_capacity=MAX_MARKS),
        FieldSchema("vector", DataType.FLOAT_VECTOR, dim=dim),
    ]
    return CollectionSchema(fields, enable_dynamic_field=False)


def _index() -> IndexParams:
    made = IndexParams()
    graph = {"M": 16, "efConstruction": 200}
    # Vectors are normalised before they come: the inner product is the cosine.
    made.add_index("vector", index_type="HNSW", metric_type="IP", params=graph)
    return made


def _row(row: IndexRow) -> dict[str, Any]:
    numbers = dict(zip(SCALARS, row.scalars(), strict=True))
    return {"key": row.key, **numbers, "marks": list(row.marks), "vector": row.vector.tolist()}


def _among(keys: Sequence[int]) -> str:
    return f"key in {list(keys)}"
