"""PostgreSQL with pgvector as a `Backend`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from ...model.ports import Analyzer
from ...util.siblings import Sibling
from ..shared.keeping import ShelfCollections
from .database import Tables
from .options import PgvectorStoreOptions
from .preparing import identity_in, prepare
from .shelf import PgvectorShelf
from .store import PgvectorStore
from .swap import PgvectorSwap


class PgvectorBackend:
    """A table on a server, as `options` say."""

    def __init__(self, options: PgvectorStoreOptions) -> None:
        self._options = options

    async def open(
        self,
        identity: Callable[[], Awaitable[tuple[str, int]]],
        *,
        terms: Analyzer | None,
        sibling: Sibling | None,
    ) -> PgvectorStore:
        del sibling  # a server is shared by whoever reaches it
        tables = await self._connected()
        try:
            embedder_id, dim = await identity()
            await prepare(tables, embedder_id, dim)
        except BaseException:
            await tables.close()
            raise
        return PgvectorStore(tables, dim=dim, terms=terms)

    async def recorded(self) -> tuple[str, int] | None:
        tables = await self._connected()
        try:
            return await identity_in(tables)
        finally:
            await tables.close()

    async def noted(self) -> tuple[str, int] | None:
        return await self.recorded()

    def noted_format(self) -> int | None:
        return None  # a server says it when it is opened

    async def open_swap(
        self, *, embedder_id: str, dim: int, terms: Analyzer | None
    ) -> PgvectorSwap:
        tables = await self._connected()
        try:
            held = await identity_in(tables)
            return await PgvectorSwap.open(
                tables, held, embedder_id=embedder_id, dim=dim, terms=terms
            )
        except BaseException:
            await tables.close()
            raise

    async def collections(self, *, terms: Analyzer | None) -> ShelfCollections:
        del terms  # every table has a column for them
        return ShelfCollections(PgvectorShelf(await self._connected()), self._options)

    async def _connected(self) -> Tables:
        return await Tables.connect(self._options)
