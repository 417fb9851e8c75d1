"""A Milvus server."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ...model.errors import StoreError
from ...model.types import Vector
from ..options import MilvusIndexOptions
from ..port import MAX_MARKS, IndexFilter, IndexMissingError, IndexRow
from .expr import SCALARS, for_server

_MOST_HITS = 16_384
"""Of one search (Milvus, ``quotaAndLimits.limits.topK``)."""
_BATCH = 256
"""Rows of one call: a message has at most 64 MB."""
_BUILD_SECONDS = 300.0
"""Making, indexing and loading may take longer than a search."""
_LONGEST_REASON = 300


class MilvusIndex:
    """`VectorIndex` on a server. Its client blocks, so it is called in threads."""

    def __init__(
        self, client: Any, collection: str, *, dim: int, seconds: float, partitions: int
    ) -> None:
        self._client = client
        self._collection = collection
        self._dim = dim
        self._seconds = seconds
        self._partitions = partitions

    @classmethod
    async def open(cls, options: MilvusIndexOptions, collection: str, *, dim: int) -> MilvusIndex:
        """Raises StoreError."""
        seconds = options.timeout_seconds
        client = await asyncio.to_thread(_connected, options)
        return cls(client, collection, dim=dim, seconds=seconds, partitions=options.partitions)

    async def put(self, rows: Sequence[IndexRow]) -> None:
        """Replaces by removing first: 2.3.5 loses rows that are upserted beside a partition key."""
        latest = list({row.key: row for row in rows}.values())
        for start in range(0, len(latest), _BATCH):
            some = latest[start : start + _BATCH]
            await self._call("delete", filter=_among([row.key for row in some]))
            await self._call("insert", data=some)
        await self._settle([row.key for row in latest[-1:]])

    async def search(
        self, vector: Vector, asked: IndexFilter, *, limit: int
    ) -> list[tuple[int, float]]:
        top = min(limit, _MOST_HITS)
        if top <= 0:
            return []
        [hits] = await self._call(
            "search",
            data=[np.asarray(vector, np.float32).tolist()],
            filter=for_server(asked),
            limit=top,
            anns_field="vector",
            search_params={"metric_type": "IP", "params": {"ef": max(64, top)}},
            consistency_level="Bounded",
        )
        return [(hit["id"], min(max(hit["distance"], -1.0), 1.0)) for hit in hits]

    async def delete(self, keys: Sequence[int]) -> None:
        for start in range(0, len(keys), _BATCH):
            await self._call("delete", filter=_among(keys[start : start + _BATCH]))
        await self._settle(keys[-1:])

    async def drop(self) -> None:
        await asyncio.to_thread(self._make)

    async def ping(self) -> None:
        """Also loads it, after a restart of the server."""
        await asyncio.to_thread(self._check)

    async def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            with _translated("close"):
                await asyncio.to_thread(client.close)

    async def _settle(self, keys: Sequence[int]) -> None:
        """Wait until searches see what was written: they read what such a read has waited for."""
        if keys:
            await self._call(
                "query", filter=_among(keys), output_fields=["key"], consistency_level="Strong"
            )

    async def _call(self, method: str, **arguments: Any) -> Any:
        return await asyncio.to_thread(self._run, method, **arguments)

    def _run(self, method: str, seconds: float | None = None, **arguments: Any) -> Any:
        if self._client is None:
            raise StoreError("milvus: the index is closed")
        if method == "insert":
            arguments["data"] = [_row(row) for row in arguments["data"]]
        with _translated(method):
            return getattr(self._client, method)(
                collection_name=self._collection, timeout=seconds or self._seconds, **arguments
            )

    def _check(self) -> None:
        if not self._run("has_collection"):
            raise IndexMissingError(f"milvus: there is no collection {self._collection}")
        fields = {each["name"]: each for each in self._run("describe_collection")["fields"]}
        found = fields.get("vector", {}).get("params", {}).get("dim")
        if "key" not in fields or int(found or 0) != self._dim:
            raise IndexMissingError(
                f"milvus: the collection {self._collection} is for vectors of {found} numbers"
            )
        self._run("load_collection", _BUILD_SECONDS)

    def _make(self) -> None:
        """An interrupted one is made anew."""
        if self._run("has_collection"):
            self._run("drop_collection", _BUILD_SECONDS)
        self._run(
            "create_collection",
            _BUILD_SECONDS,
            schema=_schema(self._dim),
            num_partitions=self._partitions,
            consistency_level="Bounded",
        )
        self._run("create_index", _BUILD_SECONDS, index_params=_index())
        self._run("load_collection", _BUILD_SECONDS)


def _connected(options: MilvusIndexOptions) -> Any:
    with _translated("connect"):
        from pymilvus import MilvusClient

        # It logs errors with a stack and the filter; the same errors are raised to us.
        logging.getLogger("pymilvus").setLevel(logging.CRITICAL)
        token = options.token.get_secret_value() if options.token else ""
        # Dedicated: a shared connection outlives its client and is never closed.
        return MilvusClient(
            uri=options.address, token=token, timeout=options.timeout_seconds, dedicated=True
        )


def _schema(dim: int) -> Any:
    from pymilvus import CollectionSchema, DataType, FieldSchema

    fields = [
        FieldSchema("key", DataType.INT64, is_primary=True),
        *(FieldSchema(n, DataType.INT64, is_partition_key=n == "user") for n in SCALARS),
        FieldSchema("marks", DataType.ARRAY, element_type=DataType.INT64, max_capacity=MAX_MARKS),
        FieldSchema("vector", DataType.FLOAT_VECTOR, dim=dim),
    ]
    return CollectionSchema(fields, enable_dynamic_field=False)


def _index() -> Any:
    from pymilvus.milvus_client.index import IndexParams

    made = IndexParams()
    graph = {"M": 16, "efConstruction": 200}
    # Vectors are normalised before they come: the inner product is the cosine.
    made.add_index("vector", index_type="HNSW", metric_type="IP", params=graph)
    return made


def _row(row: IndexRow) -> dict[str, Any]:
    numbers = {name: getattr(row, name) for name in ("key", *SCALARS)}
    return {**numbers, "marks": list(row.marks), "vector": row.vector.tolist()}


def _among(keys: Sequence[int]) -> str:
    return f"key in {list(keys)}"


@contextlib.contextmanager
def _translated(action: str) -> Iterator[None]:
    """Turn every error of pymilvus and gRPC into a StoreError."""
    import grpc  # type: ignore[import-untyped]
    from pymilvus.exceptions import MilvusException

    try:
        yield
    except (MilvusException, grpc.RpcError, OSError, TimeoutError) as error:
        message = getattr(error, "message", None) or str(error) or type(error).__name__
        # In one line of bounded length: some messages contain whole rows.
        reason = " ".join(str(message).split())[:_LONGEST_REASON]
        raise StoreError(f"milvus: {action} failed: {reason}") from error
