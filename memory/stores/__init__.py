"""Stores of memories. A new backend is one folder here and one ``case`` in `_backend`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated, assert_never

from pydantic import Field

from ..model.errors import InvalidInputError, StoreMismatchError
from ..model.format import refuse_other
from ..model.kept import Collections
from ..model.ports import Analyzer, VectorStore
from ..util.extras import STORE_EXTRAS, missing_extra
from ..util.siblings import Sibling
from .chroma.options import ChromaStoreOptions
from .inmemory.options import InMemoryStoreOptions
from .milvus.options import MilvusStoreOptions
from .opened import Backend, Identity
from .pgvector.options import PgvectorStoreOptions
from .qdrant.options import QdrantStoreOptions
from .swapping import StoreSwap

__all__ = [
    "ChromaStoreOptions",
    "Identity",
    "InMemoryStoreOptions",
    "MilvusStoreOptions",
    "PgvectorStoreOptions",
    "QdrantStoreOptions",
    "StoreOptions",
    "StoreSwap",
    "noted_format",
    "open_collections",
    "open_early",
    "open_for_reindex",
    "open_store",
    "recorded_identity",
]

StoreOptions = Annotated[
    InMemoryStoreOptions
    | MilvusStoreOptions
    | QdrantStoreOptions
    | PgvectorStoreOptions
    | ChromaStoreOptions,
    Field(discriminator="backend"),
]
"""The configured store, selected by `backend`."""


async def open_store(
    options: StoreOptions,
    *,
    embedder_id: str,
    dim: int,
    terms: Analyzer | None = None,
    sibling: Sibling | None = None,
) -> VectorStore:
    """Open the configured store for vectors of this embedder.

    An embedded store that siblings share is opened by their parent (`owning`).

    With `terms` the store also searches for keywords, if the backend and the collection support it
    (see `KeywordSearch`): `terms` finds the index terms of each memory. Memories that are put
    without `terms` into such a store are found by no keyword.

    Raises:
        StoreError: it cannot be reached or opened, or holds vectors of another embedder.
        InvalidInputError: a required option of the backend is missing.
    """

    async def known() -> Identity:
        return embedder_id, dim

    return await open_early(options, known, terms=terms, sibling=sibling)


async def open_early(
    options: StoreOptions,
    identity: Callable[[], Awaitable[Identity]],
    *,
    terms: Analyzer | None = None,
    sibling: Sibling | None = None,
) -> VectorStore:
    """`open_store` for an embedder that is still loading: an embedded store starts meanwhile.

    `identity` is asked when the collection needs it. Raises what it raises, and as `open_store`.
    """
    return await _readable(options).open(identity, terms=terms, sibling=sibling)


async def recorded_identity(options: StoreOptions) -> tuple[str, int] | None:
    """The id and dimensions of the embedder whose vectors the configured store holds.

    None if it is empty, or does not outlive the process.

    Raises:
        StoreMismatchError: the existing store is not ours.
        StoreError: it cannot be reached or opened.
        InvalidInputError: a required option of the backend is missing.
    """
    return await _readable(options).recorded()


async def noted_identity(options: StoreOptions) -> tuple[str, int] | None:
    """As `recorded_identity`, also while another process uses an embedded store.

    None also if an embedded store is damaged. Raises StoreError for a server.
    """
    return await _backend(options).noted()


def noted_format(options: StoreOptions) -> int | None:
    """The format that an embedded store says of itself; None if it says nothing. Opens nothing."""
    return _backend(options).noted_format()


async def open_for_reindex(
    options: StoreOptions, *, embedder_id: str, dim: int, terms: Analyzer | None = None
) -> StoreSwap:
    """Open the store, and a target beside it for the same memories in vectors of this embedder.

    The target keeps what an earlier run for this embedder put there; a target of another embedder
    is removed. The embedder may be the current one: that rebuilds the collection, for example to
    make it searchable for keywords.

    Raises:
        StoreError: there is nothing to reindex, the store is not ours, or it cannot be reached or
            opened (an embedded store is opened by one process at a time).
        InvalidInputError: the backend keeps nothing, or a required option is missing.
    """
    return await _readable(options).open_swap(embedder_id=embedder_id, dim=dim, terms=terms)


async def open_collections(options: StoreOptions, *, terms: Analyzer | None = None) -> Collections:
    """Open the server or the folder, to list, make and remove collections. For operators.

    With `terms` those that are made can be searched for keywords, as by `open_store`.

    Raises:
        StoreError: it cannot be reached or opened (an embedded store is opened by one process at a
            time).
        InvalidInputError: the backend keeps nothing, or a required option is missing.
    """
    return await _readable(options).collections(terms=terms)


def _readable(options: StoreOptions) -> Backend:
    """The backend, unless what it keeps in a folder is of another format.

    Raises:
        StoreMismatchError: it is; nothing was changed.
        InvalidInputError: its client library is not installed.
    """
    backend = _backend(options)
    number = backend.noted_format()
    if number is not None:
        refuse_other(str(options.folder), number, StoreMismatchError)
    return backend


def _backend(options: StoreOptions) -> Backend:
    """Loads the client library of the configured backend only.

    Raises:
        InvalidInputError: it is not installed.
    """
    extra = STORE_EXTRAS.get(options.backend)
    if extra is not None and (missing := missing_extra(extra)):
        raise InvalidInputError("store.backend", f"{extra} {missing}")
    match options:
        case InMemoryStoreOptions():
            from .inmemory.opening import InMemoryBackend

            return InMemoryBackend()
        case MilvusStoreOptions():
            from .milvus.opening import MilvusBackend

            return MilvusBackend(options)
        case QdrantStoreOptions():
            from .qdrant.opening import QdrantBackend

            return QdrantBackend(options)
        case PgvectorStoreOptions():
            from .pgvector.opening import PgvectorBackend

            return PgvectorBackend(options)
        case ChromaStoreOptions():
            from .chroma.opening import ChromaBackend

            return ChromaBackend(options)
        case _ as never:
            assert_never(never)
