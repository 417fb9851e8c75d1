"""Where memories are kept. A new backend is one folder here and one ``case`` below."""

from __future__ import annotations

from typing import Annotated, assert_never

from pydantic import Field

from ..ports import VectorStore
from .inmemory.options import InMemoryStoreOptions
from .milvus.options import MilvusStoreOptions, endpoint

__all__ = [
    "InMemoryStoreOptions",
    "MilvusStoreOptions",
    "StoreOptions",
    "is_remote",
    "open_store",
]

StoreOptions = Annotated[
    InMemoryStoreOptions | MilvusStoreOptions,
    Field(discriminator="backend"),
]
"""The configured store, told apart by `backend`."""


async def open_store(options: StoreOptions, *, embedder_id: str, dim: int) -> VectorStore:
    """Open the configured store for vectors of this embedder.

    Raises:
        StoreError: it cannot be reached or opened, or holds vectors of another embedder.
        InvalidInputError: the options do not name what the backend needs.
    """
    match options:
        case InMemoryStoreOptions():
            from .inmemory.store import InMemoryStore

            return InMemoryStore(dim=dim)
        case MilvusStoreOptions():
            from .milvus.store import MilvusStore

            return await MilvusStore.open(options, embedder_id=embedder_id, dim=dim)
        case _ as never:
            assert_never(never)


def is_remote(options: StoreOptions) -> bool:
    """Whether the store is a server that may come and go without us."""
    return isinstance(options, MilvusStoreOptions) and isinstance(endpoint(options.uri), str)
