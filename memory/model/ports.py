"""The ports of the engine: what each backend must guarantee.

All methods are asynchronous unless noted and raise only errors of `recollect.memory.model.errors`.
Every implementation of a port passes the same contract suite (`tests/memory/**/contract.py`).
Optional abilities (`AsksApart`) are small protocols, never methods that return ``None``.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Collection, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Protocol, runtime_checkable

from .across_scopes import Counted
from .filters import EVERYTHING, Filter
from .types import ACTIVE as ACTIVE  # noqa: PLC0414 - the default of many reads
from .types import (
    ChatReply,
    ChatRequest,
    MemoryItem,
    MemoryStatus,
    OwnerRef,
    Scope,
    ScoredMemory,
    StoredMemory,
    Vector,
    Vectors,
)


class VectorStore(Protocol):
    """Keeps memories and finds the nearest. `scope` is a hard predicate, never a distance.

    A read sees every write that returned before the read began.
    """

    async def put(self, memories: Sequence[StoredMemory]) -> None:
        """Insert, or replace by id. Durable when it returns."""

    async def search(
        self,
        scope: Scope,
        vector: Vector,
        *,
        limit: int,
        statuses: Collection[MemoryStatus] = ACTIVE,
        where: Filter = EVERYTHING,
    ) -> list[ScoredMemory]:
        """The `limit` nearest memories the scope admits and that pass the filter, best first."""

    async def search_each(
        self,
        scope: Scope,
        vectors: Sequence[Vector],
        *,
        limit: int,
        statuses: Collection[MemoryStatus] = ACTIVE,
    ) -> builtins.list[builtins.list[ScoredMemory]]:
        """For each vector as `search`; what is compared is read once."""

    @property
    def keywords(self) -> bool:
        """Whether the index terms of texts are kept, so that `search_keywords` works."""

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

    async def get(self, tenant: str, ids: Sequence[str]) -> list[MemoryItem]:
        """The memories with these ids in this tenant, in any order."""

    async def resting_on(
        self, tenant: str, ids: Collection[str], turn_ids: Collection[str] = ()
    ) -> builtins.list[MemoryItem]:
        """The memories of every status that name one of these.

        Those that cite a memory, were replaced by it or stand aside for it, or tell of a turn. By
        chance also others: compare again.
        """

    async def list(
        self,
        scope: Scope,
        *,
        limit: int | None,
        statuses: Collection[MemoryStatus] = ACTIVE,
        where: Filter = EVERYTHING,
    ) -> list[MemoryItem]:
        """Memories the scope admits and that pass the filter, newest first; of equal times by id.

        All of them if `limit` is None.
        """

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

    async def count(
        self,
        scope: Scope,
        *,
        statuses: Collection[MemoryStatus] = ACTIVE,
        where: Filter = EVERYTHING,
    ) -> int:
        """How many memories the scope admits and pass the filter."""

    async def scan(
        self, *, after: str | None, limit: int, owner_ref: OwnerRef | None = None
    ) -> builtins.list[StoredMemory]:
        """Up to `limit` memories of every status, by id, those after this id.

        Those of a tenant, or that a scope admits; no rows of others are read. Without `owner_ref`
        those of all tenants: for upkeep that can be resumed, never for answering a request. An
        empty answer means that there are no more.
        """

    async def walk(
        self, owner_ref: OwnerRef, *, after: str | None, limit: int
    ) -> builtins.list[MemoryItem]:
        """The same without vectors."""

    async def unlinked(self, *, limit: int) -> builtins.list[MemoryItem]:
        """Active memories of all tenants that the graph has not read in their present version.

        Those of one owner stand together, oldest first.
        """

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

    async def delete(self, tenant: str, ids: Sequence[str]) -> None:
        """Remove these ids from this tenant; unknown ids are no error."""

    async def reset(self, tenant: str) -> None:
        """Remove every memory of this tenant."""

    async def ping(self) -> None:
        """Return if the backend answers, else raise StoreError."""

    async def close(self) -> None:
        """Release everything; later calls are errors."""


Analyzer = Callable[[str], Sequence[str]]
"""A text's index terms (words without stop words, stemmed), as keyword search compares them."""


class Embedder(Protocol):
    """Text to vectors. `id` names the model of the vectors, `dim` their length."""

    @property
    def id(self) -> str: ...

    @property
    def dim(self) -> int: ...

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """``float32[len(texts), dim]``, L2-normalised, finite. Raises EmbeddingError."""

    async def close(self) -> None:
        """Release everything."""


@runtime_checkable
class AsksApart(Protocol):
    """An optional ability of an `Embedder`: a query has another vector than a stored text."""

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """As `embed`, for texts that are compared with stored ones. Raises EmbeddingError."""


class ChatModel(Protocol):
    """One call to a language model."""

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Raises ModelError if the model cannot be reached, refuses, or returns nothing."""

    async def close(self) -> None:
        """Release everything."""


class ModelSource(Protocol):
    """Finds the model for a background job."""

    async def __call__(self, tenant: str, model: str) -> ChatModel | None:
        """A model for this tenant's conversations with `model`; None if there is none now."""


class ChatExplainer(Protocol):
    """Knows what a chat does with a message."""

    async def explain(self, scope: Scope, message: str) -> dict[str, Any]:
        """What it would be given, and why, as JSON values.

        Raises EmbeddingError, StoreError, StateError.
        """


MAX_NONE = 20
"""NONE records of one memory that its history keeps."""


class TokenCounter(Protocol):
    """Counts tokens of short texts fast enough for the request path."""

    def count(self, text: str) -> int: ...
