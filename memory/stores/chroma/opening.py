"""Chroma as a `Backend`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from ...model.errors import StoreError
from ...model.ports import Analyzer
from ...util.siblings import Sibling
from ..checks import check_embedder
from ..shared import noting
from ..shared.keeping import ShelfCollections
from ..shared.points import PointStore
from .client import ChromaClient
from .collection import ensure, identity
from .options import ChromaStoreOptions
from .points import ChromaPoints
from .shelf import ChromaShelf
from .swap import ChromaSwap
from .where import Where


class ChromaBackend:
    """A folder or a server, as `options` say."""

    def __init__(self, options: ChromaStoreOptions) -> None:
        self._options = options

    async def open(
        self,
        identity: Callable[[], Awaitable[tuple[str, int]]],
        *,
        terms: Analyzer | None,
        sibling: Sibling | None,
    ) -> PointStore[Where]:
        del terms  # it cannot search for keywords
        if sibling is not None and not self._options.remote:
            raise StoreError(
                f"the folder {self._options.folder} of Chroma is for one process: set "
                "listen.workers=1, or store.uri to a server"
            )
        client = await self._client()
        name = self._options.collection
        try:
            embedder_id, dim = await identity()
            found = await ensure(client, name, embedder_id, dim)
            check_embedder(f"collection {name}", found, (embedder_id, dim))
            await asyncio.to_thread(noting.note, self._options.folder, embedder_id, dim)
        except BaseException:
            await client.close()
            raise
        return PointStore(ChromaPoints(client, name), dim=dim)

    async def recorded(self) -> tuple[str, int] | None:
        client = await self._client()
        try:
            return await identity(client, self._options.collection)
        finally:
            await client.close()

    async def noted(self) -> tuple[str, int] | None:
        if self._options.remote:
            return await self.recorded()
        return await asyncio.to_thread(noting.noted, self._options.folder)

    def noted_format(self) -> int | None:
        return noting.noted_format(self._options.folder)

    async def open_swap(self, *, embedder_id: str, dim: int, terms: Analyzer | None) -> ChromaSwap:
        del terms
        client = await self._client()
        try:
            where = self._options.collection, self._options.folder
            return await ChromaSwap.open(client, *where, embedder_id=embedder_id, dim=dim)
        except BaseException:
            await client.close()
            raise

    async def collections(self, *, terms: Analyzer | None) -> ShelfCollections:
        del terms
        shelf = ChromaShelf(await self._client(), self._options.collection)
        return ShelfCollections(shelf, self._options)

    async def _client(self) -> ChromaClient:
        return await ChromaClient.open(self._options)
