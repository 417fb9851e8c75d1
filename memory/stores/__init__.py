"""Where memories are kept. A new backend is one folder here and one ``case`` below."""

from __future__ import annotations

from typing import Annotated, assert_never

from pydantic import Field

from ..errors import InvalidInputError
from ..ports import Analyzer, ReindexTarget, VectorStore
from .inmemory.options import InMemoryStoreOptions
from .milvus.options import MilvusStoreOptions

__all__ = [
    "InMemoryStoreOptions",
    "MilvusStoreOptions",
    "ReindexTarget",
    "StoreOptions",
    "open_for_reindex",
    "open_store",
    "recorded_identity",
]

StoreOptions = Annotated[InMemoryStoreOptions | MilvusStoreOptions, Field(discriminator="backend")]
"""The configured store, told apart by `backend`."""


async def open_store(
    options: StoreOptions, *, embedder_id: str, dim: int, terms: Analyzer | None = None
) -> VectorStore:
    """Open the configured store for vectors of this embedder.

    With `terms` the store can also search for keywords, where the backend and the collection can
    (see `KeywordSearch`): memories are indexed by the terms it finds in their texts. What is put
    without `terms` into a store that has them is found by no keyword.

    Raises:
        StoreError: it cannot be reached or opened, or holds vectors of another embedder.
        InvalidInputError: the options do not name what the backend needs.
    """
    match options:
        case InMemoryStoreOptions():
            from .inmemory.store import InMemoryStore

            return InMemoryStore(dim=dim, terms=terms)
        case MilvusStoreOptions():
            from .milvus.store import MilvusStore

            return await MilvusStore.open(options, embedder_id=embedder_id, dim=dim, terms=terms)
        case _ as never:
            assert_never(never)


async def recorded_identity(options: StoreOptions) -> tuple[str, int] | None:
    """Whose vectors the configured store holds: the embedder's id and dimensions.

    None if there is nothing yet, or nothing that outlives the process.

    Raises:
        StoreMismatchError: what is there is not ours.
        StoreError: it cannot be reached or opened.
        InvalidInputError: the options do not name what the backend needs.
    """
    match options:
        case InMemoryStoreOptions():
            return None
        case MilvusStoreOptions():
            from .milvus.swap import recorded

            return await recorded(options)
        case _ as never:
            assert_never(never)


async def open_for_reindex(
    options: StoreOptions, *, embedder_id: str, dim: int, terms: Analyzer | None = None
) -> ReindexTarget:
    """Open what the store holds, and a place beside it for the same in vectors of this embedder.

    What an earlier run for this embedder put there is still there; what a run for another one left
    is removed. The embedder may be the one recorded already: that rebuilds the collection, for
    example to make it searchable for keywords.

    Raises:
        StoreError: there is nothing to reindex, what is there is not ours, or it cannot be
            reached or opened (an embedded store is opened by one process at a time).
        InvalidInputError: the backend keeps nothing, or the options do not name what it needs.
    """
    match options:
        case InMemoryStoreOptions():
            raise InvalidInputError("store.backend", "expected one that keeps what it holds")
        case MilvusStoreOptions():
            from .milvus.swap import MilvusSwap

            return await MilvusSwap.open(options, embedder_id=embedder_id, dim=dim, terms=terms)
        case _ as never:
            assert_never(never)
