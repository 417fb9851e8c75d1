"""Qdrant as a `Backend`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from ...model.errors import StoreError
from ...model.ports import Analyzer
from ...util.siblings import Sibling
from ..checks import check_embedder
from ..shared import noting
from ..shared.keeping import ShelfCollections
from .client import Client
from .options import QdrantStoreOptions

if TYPE_CHECKING:
    from qdrant_client import models

    from ..shared.points import PointStore
    from .swap import QdrantSwap


class QdrantBackend:
    """A folder or a server, as `options` say."""

    def __init__(self, options: QdrantStoreOptions) -> None:
        self._options = options

    async def open(
        self,
        identity: Callable[[], Awaitable[tuple[str, int]]],
        *,
        terms: Analyzer | None,
        sibling: Sibling | None,
    ) -> PointStore[models.Condition]:
        del terms  # it cannot search for keywords
        if sibling is not None and not self._options.remote:
            raise StoreError(
                f"the folder {self._options.folder} of Qdrant is for one process: set "
                "listen.workers=1, or store.uri to a server"
            )
        client = await self._client()
        try:
            embedder_id, dim = await identity()
            store = await _open(client, self._options.collection, embedder_id, dim)
            await asyncio.to_thread(noting.note, self._options.folder, embedder_id, dim)
        except BaseException:
            await client.close()
            raise
        return store

    async def recorded(self) -> tuple[str, int] | None:
        from .collection import QdrantAlias

        client = await self._client()
        try:
            alias = QdrantAlias(client, self._options.collection)
            name = await alias.current()
            return None if name is None else await alias.identity(name)
        finally:
            await client.close()

    async def noted(self) -> tuple[str, int] | None:
        if self._options.remote:
            return await self.recorded()
        return await asyncio.to_thread(noting.noted, self._options.folder)

    def noted_format(self) -> int | None:
        return noting.noted_format(self._options.folder)

    async def open_swap(self, *, embedder_id: str, dim: int, terms: Analyzer | None) -> QdrantSwap:
        from .swap import QdrantSwap

        del terms
        client = await self._client()
        try:
            where = self._options.collection, self._options.folder
            return await QdrantSwap.open(client, *where, embedder_id=embedder_id, dim=dim)
        except BaseException:
            await client.close()
            raise

    async def collections(self, *, terms: Analyzer | None) -> ShelfCollections:
        from .shelf import QdrantShelf

        del terms
        shelf = QdrantShelf(await self._client(), self._options.collection)
        return ShelfCollections(shelf, self._options)

    async def _client(self) -> Client:
        return await Client.open(self._options)


async def _open(
    client: Client, name: str, embedder_id: str, dim: int
) -> PointStore[models.Condition]:
    from ..shared.points import PointStore
    from .collection import QdrantAlias
    from .points import QdrantPoints

    alias = QdrantAlias(client, name)
    current = await alias.current()
    if current is None:
        current = f"{name}_1"
        await alias.make(current, embedder_id, dim)
        await alias.lead_to(current)
    found = await alias.identity(current)
    check_embedder(f"collection {name}", found, (embedder_id, dim))
    return PointStore(QdrantPoints(client, name), dim=dim)
