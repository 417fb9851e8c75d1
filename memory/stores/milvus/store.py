"""`VectorStore` on Milvus."""

from __future__ import annotations

import asyncio
import builtins
from collections.abc import Awaitable, Callable, Collection, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

import numpy as np

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
from ...query import EVERYTHING, Filter, Predicate, passing, predicate
from ...util.siblings import Sibling, one_at_a_time
from ..shared.rows import Row, to_item, to_row
from . import expr, keywords
from .collection import Opened, prepare
from .connection import Connection
from .facets import FACETS, UNKNOWN, facets_of
from .options import MilvusStoreOptions
from .reader import CollectionReader, Condition
from .replacing import settle
from .schema import KEYWORD_VECTOR, lite_partition, search_params
from .where import Tells, narrowed
from .writing import IDS, Writer, chunks

FEW_ROWS = 32
"""More rows are made in a thread: each takes a tenth of a millisecond, and requests wait for it."""
MAX_HITS = 16_384
"""Maximum rows of one search or query (Milvus, ``quotaAndLimits.limits.topK``)."""

_WIDER = 4
"""How many times as many are searched for as are wanted, if the server cannot tell which pass: if
enough of them do, they are the best, and not every memory is read."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A read: the expression for the server, and what is left to test here."""

    scope: Scope
    statuses: Collection[MemoryStatus]
    where: str | None
    keep: Predicate | None
    """The whole filter, if the expression may admit more than it does."""
    but: str | None = None
    """If `keep` is only for rows with this, an expression for them."""

    @classmethod
    def of(
        cls, scope: Scope, statuses: Collection[MemoryStatus], where: Filter, tells: Tells
    ) -> _Asked:
        found = narrowed(where, tells)
        if found.said is None or tells is not Tells.FACETS or FACETS not in found.said:
            keep = None if found.exact else predicate(where)
            return cls(scope, statuses, found.said, keep)
        said = f"({found.said}) or {UNKNOWN}"
        return cls(scope, statuses, said, predicate(where), UNKNOWN if found.exact else None)

    def after(self, last: str | None) -> str:
        """The expression for rows after an id. The scope is added here, whatever the filter is."""
        return expr.in_scope(self.scope, self.statuses, last, where=self.where)

    def wide(self, limit: int) -> int:
        """How many to search for, if that many are wanted: some may not pass."""
        exact = self.keep is None or self.but is not None
        return limit if exact else min(_WIDER * limit, MAX_HITS)

    async def passing(self, hits: Sequence[ScoredMemory]) -> builtins.list[ScoredMemory]:
        """Those that pass, in their order."""
        if (keep := self.keep) is None:
            return [*hits]
        return await passing(hits, lambda hit: keep(hit.item))

    def rest(self) -> str:
        """The expression for the rows `but`."""
        return expr.in_scope(self.scope, self.statuses, where=self.but)


class MilvusStore:
    """Memories in one collection, partitioned by user.

    Create it with `MilvusStore.open` and use it on the event loop that opened it.
    """

    def __init__(
        self,
        connection: Connection,
        opened: Opened,
        *,
        dim: int,
        terms: Analyzer | None = None,
        alone: bool = True,
    ) -> None:
        """`alone`: no other process writes to an embedded collection."""
        self._connection = connection
        self._dialect = opened.dialect
        self._has_terms = opened.has_terms
        self._tells = opened.tells
        self._terms = terms
        self.keywords = opened.has_terms and terms is not None
        self._dim = dim
        self._reader = CollectionReader(connection, opened.dialect, dim)
        self._writer = Writer(connection, self._reader, opened.dialect)
        self._writer.alone = alone
        self._closed = False

    @classmethod
    async def open(
        cls,
        options: MilvusStoreOptions,
        identity: Callable[[], Awaitable[tuple[str, int]]],
        *,
        terms: Analyzer | None = None,
        sibling: Sibling | None = None,
    ) -> MilvusStore:
        """Connect (embedded: start Milvus Lite) and make the collection ready.

        Of an embedded one that siblings share, their parent starts it. `identity` is asked for the
        embedder and its dimensions once Milvus runs.

        Raises:
            StoreError: Milvus cannot be reached or started, the data folder is damaged or in use,
                or the collection holds vectors of another embedder.
            InvalidInputError: `uri` is not set.
        """
        connection = await Connection.open(options, sibling)
        try:
            embedder_id, dim = await identity()
            async with one_at_a_time(sibling):
                await settle(connection)
                opened = await prepare(
                    connection,
                    embedder_id=embedder_id,
                    dim=dim,
                    partitions=options.partitions,
                    keywords=terms is not None,
                )
        except BaseException:
            await connection.close()
            raise
        return cls(connection, opened, dim=dim, terms=terms, alone=sibling is None)

    async def put(self, memories: Sequence[StoredMemory]) -> None:
        """Insert or replace.

        On servers without a reliable upsert an interrupted replacement may leave the memory
        deleted, so a caller that gets an error must put it again.

        Raises:
            InvalidInputError: a value does not fit; nothing was written.
            StoreError: Milvus refused or failed; some memories may have been written.
        """
        self._check_open()
        few = len(memories) <= FEW_ROWS
        rows = self._rows(memories) if few else await asyncio.to_thread(self._rows, memories)
        await self._writer.put(rows.values())

    async def search(
        self,
        scope: Scope,
        vector: Vector,
        *,
        limit: int,
        statuses: Collection[MemoryStatus] = ACTIVE,
        where: Filter = EVERYTHING,
        fresh: bool = False,
    ) -> builtins.list[ScoredMemory]:
        """Answers at most 16,384 memories."""
        self._check_open()
        query = checked_vector(vector, self._dim)
        top = min(limit, MAX_HITS)
        if top <= 0 or not statuses:
            return []
        asked = self._asked(scope, statuses, where)
        wide = asked.wide(top)
        hits = await self._hits(
            scope,
            asked,
            wide,
            data=[query.tolist()],
            anns_field="vector",
            search_params=search_params(self._dialect, wide),
            consistency_level="Strong" if fresh else "Bounded",
        )
        near = [_scored(hit, float(np.clip(hit["distance"], -1.0, 1.0))) for hit in hits]
        best = await asked.passing(near)
        every = len(best) == len(near) or (self._dialect.embedded and len(near) < wide)
        if asked.keep is None or every or len(best) >= top:
            return best[:top]
        return await self._reader.nearest(
            asked.after, query, limit=top, keep=asked.keep, **self._pruned(scope)
        )

    async def search_keywords(
        self,
        scope: Scope,
        terms: Sequence[str],
        *,
        limit: int,
        statuses: Collection[MemoryStatus] = ACTIVE,
        where: Filter = EVERYTHING,
    ) -> builtins.list[ScoredMemory]:
        """Answers at most 16,384 memories, or those of the best 16,384 that pass the filter."""
        self._check_open()
        if not self.keywords:
            raise StoreError("the collection cannot be searched for keywords")
        text = keywords.query(terms)
        top = min(limit, MAX_HITS)
        if top <= 0 or not statuses or not text:
            return []
        asked = self._asked(scope, statuses, where)
        hits = await self._keyword_hits(asked, text, asked.wide(top))
        best = await asked.passing(hits)
        if len(best) < min(top, len(hits)):
            best = await asked.passing(await self._keyword_hits(asked, text, MAX_HITS))
        return best[:top]

    async def get(self, tenant: str, ids: Sequence[str]) -> builtins.list[MemoryItem]:
        self._check_open()
        items: builtins.list[MemoryItem] = []
        for some in chunks(dict.fromkeys(ids), IDS):
            items += await self._reader.items(expr.by_ids(tenant, some))
        return items

    async def list(
        self,
        scope: Scope,
        *,
        limit: int | None,
        statuses: Collection[MemoryStatus] = ACTIVE,
        where: Filter = EVERYTHING,
    ) -> builtins.list[MemoryItem]:
        self._check_open()
        if not statuses or (limit is not None and limit <= 0):
            return []
        # Milvus cannot sort by time, so the newest are known only after reading all.
        items = await self._all(scope, self._asked(scope, statuses, where))
        items.sort(key=lambda item: (-item.created_at.timestamp(), item.id))
        return items if limit is None else items[:limit]

    async def load(
        self,
        scope: Scope,
        *,
        limit: int,
        statuses: Collection[MemoryStatus] = ACTIVE,
        where: Filter = EVERYTHING,
        fresh: bool = False,
    ) -> builtins.list[StoredMemory]:
        self._check_open()
        if not statuses or limit <= 0:
            return []
        asked = self._asked(scope, statuses, where)
        if asked.keep is not None:
            return await self._reader.first(
                asked.after, limit=limit, keep=asked.keep, **self._pruned(scope)
            )
        return await self._reader.memories(
            asked.after, limit=limit, fresh=fresh, **self._pruned(scope)
        )

    async def count(
        self,
        scope: Scope,
        *,
        statuses: Collection[MemoryStatus] = ACTIVE,
        where: Filter = EVERYTHING,
        fresh: bool = False,
    ) -> int:
        self._check_open()
        if not statuses:
            return 0
        asked = self._asked(scope, statuses, where)
        if asked.keep is not None and asked.but is None:
            return len(await self._all(scope, asked))
        pruned = self._pruned(scope)
        there = self._reader.count(asked.after(None), fresh=fresh, **pruned)
        if asked.but is None:
            return await there
        untold = self._reader.count(asked.rest(), fresh=fresh, **pruned)
        number, others = await asyncio.gather(there, untold)
        return len(await self._all(scope, asked)) if others else number

    async def scan(
        self, *, after: str | None, limit: int, owner_ref: OwnerRef | None = None
    ) -> builtins.list[StoredMemory]:
        self._check_open()
        if limit <= 0:
            return []
        where, pruned = self._wide(owner_ref, after)
        return await self._reader.first(where, limit=limit, **pruned)

    async def walk(
        self, owner_ref: OwnerRef, *, after: str | None, limit: int
    ) -> builtins.list[MemoryItem]:
        self._check_open()
        if limit <= 0:
            return []
        where, pruned = self._wide(owner_ref, after)
        return await self._reader.first_items(where, limit=limit, **pruned)

    async def tally(
        self,
        owner_ref: OwnerRef | None,
        *,
        turns: AbstractSet[str] = frozenset(),
        waiting: bool = False,
    ) -> Counted:
        self._check_open()
        where, pruned = self._wide(owner_ref, None)
        return await self._reader.tally(where, turns, waiting=waiting, **pruned)

    async def count_all(self) -> int:
        """Number of memories of every tenant and status."""
        self._check_open()
        return await self._reader.count(expr.any_tenant(None), fresh=True)

    async def owners(self, ids: Sequence[str]) -> dict[str, str]:
        self._check_open()
        found: dict[str, str] = {}
        for some in chunks(dict.fromkeys(ids), IDS):
            page = await self._reader.columns(expr.with_ids(some), ["id", "tenant"])
            found |= {row["id"]: row["tenant"] for row in page.rows()}
        return found

    async def delete(self, tenant: str, ids: Sequence[str]) -> None:
        self._check_open()
        await self._writer.delete(tenant, ids)

    async def reset(self, tenant: str) -> None:
        self._check_open()
        await self._writer.reset(tenant)

    def look(self) -> None:
        """Embedded: notice and log whether its files are where they were opened."""
        self._connection.endpoint.look()

    async def ping(self) -> None:
        self._check_open()
        self._writer.check_writable()
        await self._connection.raw_call("get_server_version")

    async def maintain(self) -> None:
        """Embedded: flush the remaining rows. Raises StoreError; put memories stay durable."""
        self._check_open()
        await self._writer.flush()

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            await self._connection.close()

    def _asked(self, scope: Scope, statuses: Collection[MemoryStatus], where: Filter) -> _Asked:
        return _Asked.of(scope, statuses, where, self._tells)

    async def _keyword_hits(
        self, asked: _Asked, text: str, limit: int
    ) -> builtins.list[ScoredMemory]:
        found = await self._hits(
            asked.scope,
            asked,
            limit,
            data=[text],
            anns_field=KEYWORD_VECTOR,
            search_params={"metric_type": "BM25"},
            consistency_level="Bounded",
        )
        scores = [keywords.relevance(self._dialect, hit["distance"]) for hit in found]
        return [_scored(hit, score) for hit, score in zip(found, scores, strict=True) if score > 0]

    async def _all(self, scope: Scope, asked: _Asked) -> builtins.list[MemoryItem]:
        items = await self._reader.all_items(asked.after, **self._pruned(scope))
        return items if asked.keep is None else await passing(items, asked.keep)

    async def _hits(
        self, scope: Scope, asked: _Asked, limit: int, **how: Any
    ) -> builtins.list[Any]:
        answers = await self._connection.call(
            "search",
            filter=asked.after(None),
            limit=limit,
            output_fields=ROW_FIELDS,
            **self._pruned(scope),
            **how,
        )
        return list(answers[0])

    def _rows(self, memories: Sequence[StoredMemory]) -> dict[str, Row]:
        return {memory.item.id: self._row(memory) for memory in memories}

    def _row(self, memory: StoredMemory) -> Row:
        row = to_row(memory, self._dim)
        if self._tells is Tells.FACETS:
            row[FACETS] = facets_of(memory.item)
        return keywords.with_terms(row, self._terms) if self._has_terms else row

    def _wide(
        self, owner_ref: OwnerRef | None, after: str | None
    ) -> tuple[Condition, dict[str, Any]]:
        """The condition for the rows of an owner, and the partition to read, if it is one."""

        def where(last: str | None) -> str:
            last = after if last is None else last
            return expr.any_tenant(last) if owner_ref is None else expr.owned(owner_ref, last)

        return where, self._pruned(owner_ref) if isinstance(owner_ref, Scope) else {}

    def _pruned(self, scope: Scope) -> dict[str, Any]:
        """The partition to search. A server derives it from the partition in the expression."""
        if not self._dialect.embedded or scope.user_id is None:
            return {}
        return {"partition_names": [lite_partition(scope.partition)]}

    def _check_open(self) -> None:
        if self._closed:
            raise StoreError("the memory store is closed")


def _scored(hit: Any, score: float) -> ScoredMemory:
    return ScoredMemory(to_item(hit["entity"]), score)
