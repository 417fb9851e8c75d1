"""Milvus as a `Backend`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from ...model.ports import Analyzer
from ...util.siblings import Sibling
from ..shared.keeping import ShelfCollections
from . import swap
from .connection import Connection
from .options import MilvusStoreOptions
from .shelf import MilvusShelf
from .store import MilvusStore


class MilvusBackend:
    """An embedded Milvus or a server, as `options` say."""

    def __init__(self, options: MilvusStoreOptions) -> None:
        self._options = options

    async def open(
        self,
        identity: Callable[[], Awaitable[tuple[str, int]]],
        *,
        terms: Analyzer | None,
        sibling: Sibling | None,
    ) -> MilvusStore:
        return await MilvusStore.open(self._options, identity, terms=terms, sibling=sibling)

    async def recorded(self) -> tuple[str, int] | None:
        return await swap.recorded(self._options)

    async def noted(self) -> tuple[str, int] | None:
        return await swap.noted(self._options)

    def noted_format(self) -> int | None:
        return swap.noted_format(self._options)

    async def open_swap(
        self, *, embedder_id: str, dim: int, terms: Analyzer | None
    ) -> swap.MilvusSwap:
        return await swap.MilvusSwap.open(
            self._options, embedder_id=embedder_id, dim=dim, terms=terms
        )

    async def collections(self, *, terms: Analyzer | None) -> ShelfCollections:
        shelf = MilvusShelf(await Connection.open(self._options), terms)
        return ShelfCollections(shelf, self._options)
