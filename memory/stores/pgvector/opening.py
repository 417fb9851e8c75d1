"""PostgreSQL with pgvector as a `Backend`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from ...model.errors import InvalidInputError, StoreMismatchError
from ...model.ports import Analyzer
from ...util.extras import missing_extra
from ...util.siblings import Sibling
from .database import Tables
from .options import PgvectorStoreOptions
from .schema import fingerprint, schema
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
            return await _identity(tables)
        finally:
            await tables.close()

    async def noted(self) -> tuple[str, int] | None:
        return await self.recorded()

    async def open_swap(
        self, *, embedder_id: str, dim: int, terms: Analyzer | None
    ) -> PgvectorSwap:
        tables = await self._connected()
        try:
            held = await _identity(tables)
            return await PgvectorSwap.open(
                tables, held, embedder_id=embedder_id, dim=dim, terms=terms
            )
        except BaseException:
            await tables.close()
            raise

    async def _connected(self) -> Tables:
        if why := missing_extra("pgvector"):
            raise InvalidInputError("store.backend", why)
        return await Tables.connect(self._options)


async def prepare(tables: Tables, embedder_id: str, dim: int) -> None:
    """Make the table, or check that it is the right one.

    Raises:
        StoreMismatchError: it holds vectors of another embedder, or is not ours.
        StoreError: PostgreSQL refused, for example to install the extension.
    """
    found = await _identity(tables)
    if found is None:
        await tables.migrated(schema(tables.table, embedder_id, dim))
        # Another replica may have made it first, for another embedder.
        found = await _identity(tables)
    elif found == (embedder_id, dim):
        await tables.migrated(schema(tables.table, embedder_id, dim))
    if found != (embedder_id, dim):
        held = "nothing" if found is None else fingerprint(*found)
        raise StoreMismatchError(
            f"the table {tables.table} holds vectors of {held}, the configured embedder is "
            f"{fingerprint(embedder_id, dim)}: configure that embedder or another "
            "store.collection, or run `recollect reindex` to embed what it holds with the new one"
        )


async def _identity(tables: Tables) -> tuple[str, int] | None:
    found = await tables.identity()
    if found is None and await tables.exists():
        raise StoreMismatchError(
            f"the table {tables.table} is not one of Recollect's: name another one by "
            "store.collection"
        )
    return found
