"""`VectorStore` on Milvus."""

from __future__ import annotations

import asyncio
import builtins
import itertools
import logging
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np

from ...errors import StoreError
from ...ports import ACTIVE
from ...types import MemoryItem, MemoryStatus, Scope, ScoredMemory, StoredMemory, Vector
from ..checks import checked_vector
from . import expr
from .collection import prepare
from .connection import Connection
from .dialect import Dialect
from .options import MilvusStoreOptions
from .rows import Row, to_item, to_row
from .schema import OUTPUT_FIELDS, lite_partition, search_params

log = logging.getLogger(__name__)

T = TypeVar("T")

MAX_HITS = 16_384
"""Most rows one search or query answers with (Milvus, ``quotaAndLimits.limits.topK``)."""
_WRITE_ROWS = 48
"""Rows of one write: pymilvus turns them into a message on the event loop, some 0.1 ms each."""
_IDS = 500
"""Ids of one expression."""


class MilvusStore:
    """Memories in one collection, which the user's scope partitions.

    Use `MilvusStore.open`, and use it on the event loop that opened it.
    """

    def __init__(
        self, connection: Connection, dialect: Dialect, *, dim: int, flush_every_rows: int
    ) -> None:
        self._connection = connection
        self._dialect = dialect
        self._dim = dim
        self._flush_every = flush_every_rows
        self._unflushed = 0
        self._tombstones: set[str] = set()
        """Embedded only: ids deleted since the last flush."""
        self._writing = asyncio.Lock()
        self._closed = False

    @classmethod
    async def open(cls, options: MilvusStoreOptions, *, embedder_id: str, dim: int) -> MilvusStore:
        """Connect (embedded: start Milvus Lite) and make the collection ready.

        Raises:
            StoreError: Milvus cannot be reached or started, the data folder is damaged or in use,
                or the collection holds vectors of another embedder.
            InvalidInputError: `uri` is not set.
        """
        connection = await Connection.open(options)
        try:
            dialect = await prepare(connection, options, embedder_id=embedder_id, dim=dim)
        except BaseException:
            await connection.close()
            raise
        return cls(connection, dialect, dim=dim, flush_every_rows=options.flush_every_rows)

    async def put(self, memories: Sequence[StoredMemory]) -> None:
        """Insert, or replace what has the same id. Durable when it returns.

        A replacement that is interrupted may leave the memory deleted on servers without a sound
        upsert, so a caller who gets an error must put it again.

        Raises:
            InvalidInputError: something does not fit; nothing was written.
            StoreError: Milvus refused or failed; some of them may have been written.
        """
        self._check_open()
        rows = {memory.item.id: to_row(memory, self._dim) for memory in memories}
        for batch in _chunks(rows.values(), _WRITE_ROWS):
            # One at a time: a replacement takes two steps on some servers.
            async with self._writing:
                await self._write(batch)
                self._unflushed += len(batch)
                await self._flush_if_due()

    async def search(
        self,
        scope: Scope,
        vector: Vector,
        *,
        limit: int,
        statuses: Collection[MemoryStatus] = ACTIVE,
        fresh: bool = False,
    ) -> builtins.list[ScoredMemory]:
        """The `limit` nearest memories the scope admits (at most 16,384), best first."""
        self._check_open()
        query = checked_vector(vector, self._dim)
        top = min(limit, MAX_HITS)
        if top <= 0 or not statuses:
            return []
        answers = await self._connection.call(
            "search",
            data=[query.tolist()],
            anns_field="vector",
            filter=expr.in_scope(scope, statuses),
            limit=top,
            output_fields=OUTPUT_FIELDS,
            search_params=search_params(self._dialect, top),
            consistency_level="Strong" if fresh else "Bounded",
            **self._pruned(scope),
        )
        return [_scored(hit) for hit in answers[0]]

    async def get(self, tenant: str, ids: Sequence[str]) -> builtins.list[MemoryItem]:
        self._check_open()
        rows: builtins.list[Row] = []
        for some in _chunks(dict.fromkeys(ids), _IDS):
            rows += await self._query(expr.by_ids(tenant, some))
        return [to_item(row) for row in rows]

    async def list(
        self,
        scope: Scope,
        *,
        limit: int | None,
        statuses: Collection[MemoryStatus] = ACTIVE,
    ) -> builtins.list[MemoryItem]:
        self._check_open()
        if not statuses or (limit is not None and limit <= 0):
            return []
        # Milvus cannot sort by time, so the newest are known only when all were seen.
        items = [to_item(row) for row in await self._all_rows(scope, statuses)]
        items.sort(key=lambda item: (-item.created_at.timestamp(), item.id))
        return items if limit is None else items[:limit]

    async def delete(self, tenant: str, ids: Sequence[str]) -> None:
        self._check_open()
        async with self._writing:
            for some in _chunks(dict.fromkeys(ids), _IDS):
                await self._connection.call("delete", filter=expr.by_ids(tenant, some))
                self._tombstones.update(some if self._dialect.embedded else ())

    async def reset(self, tenant: str) -> None:
        self._check_open()
        async with self._writing:
            await self._connection.call("delete", filter=expr.of_tenant(tenant))
            if self._dialect.embedded:
                await self._flush()

    async def ping(self) -> None:
        self._check_open()
        await self._connection.raw_call("get_server_version")

    async def maintain(self) -> None:
        """Embedded: flush what is left. Call it when idle, every `flush_idle_seconds` or so.

        Raises:
            StoreError: it failed; what was put stays durable all the same.
        """
        self._check_open()
        if self._dialect.embedded and (self._unflushed or self._tombstones):
            async with self._writing:
                await self._flush()

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            await self._connection.close()

    async def _write(self, rows: builtins.list[Row]) -> None:
        if self._dialect.embedded:
            await self._write_partitions(rows)
        elif self._dialect.upserts:
            await self._connection.call("upsert", data=rows)
        else:
            await self._connection.call("delete", filter=expr.with_ids(row["id"] for row in rows))
            await self._connection.call("insert", data=rows)

    async def _write_partitions(self, rows: builtins.list[Row]) -> None:
        """Milvus Lite replaces a row of the same id, but only within its partition."""
        targets = {row["id"]: lite_partition(row["partition"]) for row in rows}
        known = await self._query(expr.with_ids(targets), fields=["id", "partition"])
        moved = [
            row["id"] for row in known if lite_partition(row["partition"]) != targets[row["id"]]
        ]
        if moved:
            await self._connection.call("delete", filter=expr.with_ids(moved))
            self._tombstones.update(moved)
        if not self._tombstones.isdisjoint(targets):
            # A deletion that is not flushed is forgotten when its id is inserted again, and what
            # it hid in another partition shows again.
            await self._flush()
        by_partition: dict[str, builtins.list[Row]] = defaultdict(list)
        for row in rows:
            by_partition[targets[row["id"]]].append(row)
        for name, some in by_partition.items():
            await self._connection.call("insert", data=some, partition_name=name)

    async def _flush_if_due(self) -> None:
        if not self._dialect.embedded or self._unflushed < self._flush_every:
            return
        try:
            await self._flush()
        except StoreError as error:
            # The rows are in the log already: searches are slower, nothing is lost.
            log.warning("flush put off: %s", error)

    async def _flush(self) -> None:
        rows, self._unflushed = self._unflushed, 0
        tombstones, self._tombstones = self._tombstones, set()
        try:
            await self._connection.call("flush")
        except (StoreError, asyncio.CancelledError):
            self._unflushed += rows
            self._tombstones |= tombstones
            raise

    async def _all_rows(
        self, scope: Scope, statuses: Collection[MemoryStatus]
    ) -> builtins.list[Row]:
        """Page by page in the order of the ids: one answer holds 16,384 rows at most."""
        rows: builtins.list[Row] = []
        last: str | None = None
        while True:
            page = await self._query(
                expr.in_scope(scope, statuses, after=last),
                limit=self._dialect.page_rows,
                # What pymilvus' own iterator sends: the answer is a gapless run in id order.
                iterator="True",
                reduce_stop_for_best=True,
                **self._pruned(scope),
            )
            if not page:
                return rows
            rows += page
            last = max(row["id"] for row in page)

    async def _query(
        self, condition: str, fields: Sequence[str] = OUTPUT_FIELDS, **arguments: Any
    ) -> builtins.list[Row]:
        if "iterator" not in arguments:
            arguments["consistency_level"] = "Strong"
        rows = await self._connection.call(
            "query", filter=condition, output_fields=[*fields], **arguments
        )
        return list(rows)

    def _pruned(self, scope: Scope) -> dict[str, Any]:
        """Where to look. A server finds out by itself, from the partition in the expression."""
        if not self._dialect.embedded or scope.user_id is None:
            return {}
        return {"partition_names": [lite_partition(scope.partition)]}

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError("the memory store is closed")


def _scored(hit: Any) -> ScoredMemory:
    score = float(np.clip(hit["distance"], -1.0, 1.0))
    return ScoredMemory(to_item(hit["entity"]), score)


def _chunks(values: Iterable[T], size: int) -> Iterator[builtins.list[T]]:
    remaining = iter(values)
    while chunk := list(itertools.islice(remaining, size)):
        yield chunk
