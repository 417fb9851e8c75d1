"""The memories: rows in the database, with a vector index beside them that can be thrown away."""

from __future__ import annotations

import builtins
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from collections.abc import Set as AbstractSet
from functools import partial
from hashlib import blake2b

from ..database.scripts import ScriptRunner
from ..model.across_scopes import Counted
from ..model.errors import StoreError, StoreMismatchError
from ..model.format import FORMAT
from ..model.ports import ACTIVE, Analyzer
from ..model.types import (
    MemoryItem,
    MemoryStatus,
    OwnerRef,
    Scope,
    ScoredMemory,
    StoredMemory,
    Vector,
)
from ..query import EVERYTHING, Filter, Predicate, predicate
from ..query.cursor import ListMark
from .checks import checked_vector
from .citations import digests
from .counting import tally
from .keywords import KeywordIndex
from .reading import PAGE_ROWS, MemoryReader
from .row_conditions import RowConditions, in_scope, owned
from .rows import item_of, values_of
from .script_runner import MemoryScripts
from .searching import MemorySearch, NamedIndex, VectorQuestion
from .vectors import MemoryVectors
from .where import add_filter, pattern
from .writing import delete, put, reset


class SqlMemories:
    """Keeps memories and finds the nearest. `scope` is a hard predicate, never a distance.

    A read sees every write that returned before the read began. An id is unique within its tenant.
    Without an index a search compares every vector of its scope. Raises StoreError.
    """

    def __init__(
        self,
        scripts: ScriptRunner,
        *,
        embedder_id: str,
        dim: int,
        terms: Analyzer | None = None,
        index: NamedIndex | None = None,
        first: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """Of vectors of this embedder; the database and the index are closed by who opened them.

        `first` is called before anything else, until it has succeeded.
        """
        self.embedder_id = embedder_id
        self.keywords = terms is not None
        self._dim = dim
        self._terms = terms
        self._scripts = MemoryScripts(scripts, first)
        self._reader = MemoryReader(self._scripts, embedder_id=embedder_id, dim=dim)
        self._search = MemorySearch(self._scripts, self._reader, index)
        self.writer = ""
        """The name of this process in the log of changes; '' if nobody else reads it."""
        self._words = KeywordIndex(self._scripts, self._reader)

    async def put(self, memories: Sequence[StoredMemory]) -> None:
        """Insert or replace, all or none.

        Raises:
            InvalidInputError: a value does not fit; nothing was written.
            StoreError: the database refused or failed; nothing was written.
        """
        known = {(each.item.scope.tenant, each.item.id): each for each in memories}
        if not known:
            return
        # In one order, so that two writers wait for each other only one way.
        rows = await self._scripts.decoded(
            [known[key] for key in sorted(known)],
            lambda each: values_of(each, self._dim, self._terms),
        )
        await self._scripts.change(
            lambda: put(rows, self.embedder_id, self.writer),
            tenants={tenant for tenant, _ in known},
        )

    async def search(
        self,
        scope: Scope,
        vector: Vector,
        *,
        limit: int,
        statuses: Collection[MemoryStatus] = ACTIVE,
        where: Filter = EVERYTHING,
    ) -> builtins.list[ScoredMemory]:
        """The `limit` nearest memories the scope admits and that pass the filter, best first."""
        asked = [checked_vector(vector, self._dim)]
        question = VectorQuestion(scope, asked, statuses, where, limit)
        [found] = await self._nearest(question)
        return found

    async def search_each(
        self,
        scope: Scope,
        vectors: Sequence[Vector],
        *,
        limit: int,
        statuses: Collection[MemoryStatus] = ACTIVE,
        where: Filter = EVERYTHING,
    ) -> builtins.list[builtins.list[ScoredMemory]]:
        """For each vector as `search`; what is compared is read once."""
        asked = [checked_vector(vector, self._dim) for vector in vectors]
        return await self._nearest(VectorQuestion(scope, asked, statuses, where, limit))

    async def _nearest(self, asked: VectorQuestion) -> builtins.list[builtins.list[ScoredMemory]]:
        if asked.limit <= 0:
            return [[] for _ in asked.vectors]
        return await self._search.nearest(asked) if asked.vectors else []

    async def search_keywords(
        self,
        scope: Scope,
        terms: Sequence[str],
        *,
        limit: int,
        statuses: Collection[MemoryStatus] = ACTIVE,
        where: Filter = EVERYTHING,
    ) -> builtins.list[ScoredMemory]:
        """Up to `limit` memories that pass and have any of these index terms, best first.

        The scope admits them, and they pass the filter. `score` is BM25, greater than 0 and larger
        for better; its range depends on what is stored.

        Raises:
            StoreError: `keywords` is false, or the database failed.
        """
        if not self.keywords:
            raise StoreError("the memory store cannot search for keywords")
        asked, _ = _asked(scope, statuses, where)
        return await self._words.best(asked, terms, limit=limit, keep=predicate(where))

    async def get(self, tenant: str, ids: Sequence[str]) -> builtins.list[MemoryItem]:
        """The memories with these ids in this tenant, in any order."""
        return await self._reader.named(tenant, set(ids)) if ids else []

    async def resting_on(
        self, tenant: str, ids: Collection[str], turn_ids: Collection[str] = ()
    ) -> builtins.list[MemoryItem]:
        """The memories of every status that name one of these.

        Those that cite a memory, were replaced by it or stand aside for it, or tell of a turn. By
        chance also others: compare again.
        """
        grounds = digests(tenant, ids, turn_ids)
        return await self._reader.resting_on(tenant, grounds) if grounds else []

    async def list(
        self,
        scope: Scope,
        *,
        limit: int | None,
        statuses: Collection[MemoryStatus] = ACTIVE,
        where: Filter = EVERYTHING,
        after: ListMark | None = None,
    ) -> builtins.list[MemoryItem]:
        """Memories the scope admits and that pass the filter, newest first; of equal times by id.

        Those that come `after` a place; all of them if `limit` is None.
        """
        asked, keep = _asked(scope, statuses, where)
        return await self._reader.newest(asked, limit=limit, keep=keep, after=after)

    async def with_origin(
        self,
        scope: Scope,
        parts: Sequence[str],
        passes: Predicate,
        *,
        limit: int,
        statuses: Collection[MemoryStatus] = ACTIVE,
        after: ListMark | None = None,
    ) -> builtins.list[MemoryItem]:
        """Memories that pass, of those whose provenance, as JSON, has one of these parts.

        Up to `limit` of those the scope admits that come `after` a place, as `list` orders them.
        """
        asked = in_scope(scope, statuses)
        likes = [like for like in map(pattern, parts) if like is not None]
        if len(likes) == len(parts):
            told = " OR ".join(f"provenance LIKE {asked.value(like)}" for like in likes)
            asked.add(f"({told})")
        return await self._reader.newest(asked, limit=limit, keep=passes, after=after)

    async def load(
        self,
        scope: Scope,
        *,
        limit: int,
        statuses: Collection[MemoryStatus] = ACTIVE,
        where: Filter = EVERYTHING,
    ) -> builtins.list[StoredMemory]:
        """Up to `limit` memories the scope admits and that pass the filter, with their vectors.

        The vectors are ``float32[dim]``.

        In the order of their ids, so that a limit selects the same ones each time. For building an
        index: the vectors of one call may share one block of memory and may be read-only, so copy
        those that are kept for long.
        """
        asked, keep = _asked(scope, statuses, where)
        return await self._reader.memories(asked, limit=limit, keep=keep)

    async def count(
        self,
        scope: Scope,
        *,
        statuses: Collection[MemoryStatus] = ACTIVE,
        where: Filter = EVERYTHING,
    ) -> int:
        """How many memories the scope admits and pass the filter."""
        asked, keep = _asked(scope, statuses, where)
        if keep is None:
            return await self._reader.count(asked)
        return len(await self._reader.newest(asked, limit=None, keep=keep))

    async def scan(
        self, *, after: str | None, limit: int, owner_ref: OwnerRef | None = None
    ) -> builtins.list[StoredMemory]:
        """Up to `limit` memories of every status, by id, those after this id.

        Those of a tenant, or that a scope admits; no rows of others are read. Without `owner_ref`
        those of all tenants: for upkeep that can be resumed, never for answering a request. An
        empty answer means that there are no more.
        """
        asked = owned(owner_ref)
        most = min(limit, PAGE_ROWS)
        found = await self._reader.memories(asked, after=after, limit=most, keep=None)
        if owner_ref is None and found:
            # Of several tenants that have this id, none may be left for the next page.
            last = found[-1].item.id
            asked.add(f"id = {asked.value(last)}")
            also = await self._reader.memories(asked, limit=PAGE_ROWS, keep=None)
            found = [*(one for one in found if one.item.id != last), *also]
        return found

    async def walk(
        self, owner_ref: OwnerRef, *, after: str | None, limit: int
    ) -> builtins.list[MemoryItem]:
        """The same without vectors."""
        return await self._reader.items(owned(owner_ref), after=after, limit=limit)

    async def unlinked(self, *, limit: int) -> builtins.list[MemoryItem]:
        """Active memories of all tenants that the graph has not read in their present version.

        Those of one owner stand together, oldest first.
        """
        return await self._reader.unlinked(limit)

    async def tally(
        self,
        owner_ref: OwnerRef | None,
        *,
        turns: AbstractSet[str] = frozenset(),
        waiting: bool = False,
    ) -> Counted:
        """How many memories each scope of an owner has; for None, of all tenants.

        Reads no texts and no vectors. It also tells which of these turns active memories were
        learned from and, with `waiting`, which ones wait for a judgement.
        """
        return await tally(self._scripts, owner_ref, turns, waiting=waiting)

    async def delete(self, tenant: str, ids: Sequence[str]) -> builtins.list[MemoryItem]:
        """Remove these ids from this tenant; those that were there. Unknown ids are no error."""
        if not ids:
            return []
        gone = await self._scripts.change(
            lambda: delete(tenant, sorted(set(ids)), self.writer), tenants={tenant}, erases=True
        )
        return await self._scripts.decoded(gone, item_of)

    async def reset(self, tenant: str) -> None:
        """Remove every memory of this tenant."""
        await self._scripts.change(
            lambda: reset(tenant, self.writer), tenants={tenant}, erases=True
        )


def index_name(embedder_id: str, dim: int) -> str:
    """The name of the collection with the vectors of an embedder, in this format."""
    digest = blake2b(f"{embedder_id}@{dim}".encode(), digest_size=8).hexdigest()
    return f"f{FORMAT}_{digest}"


async def open_memories(
    scripts: ScriptRunner,
    *,
    embedder_id: str,
    dim: int,
    terms: Analyzer | None = None,
    index: NamedIndex | None = None,
    waits: bool = False,
) -> SqlMemories:
    """The memories of this database, in vectors of this embedder.

    With `waits` a database that does not answer is no error here: calls fail until it does.

    Raises:
        StoreMismatchError: they have vectors of another one.
        StoreError: the database refused or failed.
    """
    claim = partial(MemoryVectors(MemoryScripts(scripts)).claim, (embedder_id, dim))
    first = None
    try:
        await claim()
    except StoreMismatchError:
        raise
    except StoreError:
        if not waits:
            raise
        first = claim
    return SqlMemories(
        scripts, embedder_id=embedder_id, dim=dim, terms=terms, index=index, first=first
    )


def _asked(
    scope: Scope, statuses: Collection[MemoryStatus], where: Filter
) -> tuple[RowConditions, Predicate | None]:
    """The condition, and what is left to test with a memory at hand."""
    asked = in_scope(scope, statuses)
    return asked, None if add_filter(where, asked) else predicate(where)


async def walked(
    store: SqlMemories, owner_ref: OwnerRef, *, page: int, after: str | None = None
) -> AsyncIterator[list[MemoryItem]]:
    """An owner's memories of every status with an id greater than `after`, without vectors.

    `page` at a time, in the order of their ids; no page is empty. Raises StoreError.
    """
    while found := await store.walk(owner_ref, after=after, limit=page):
        yield found
        after = found[-1].id
