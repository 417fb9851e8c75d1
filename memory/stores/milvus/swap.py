"""A collection, and beside it its replacement."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...model.errors import StoreError
from ...model.ports import Analyzer
from .collection import described_identity, prepare, reopen
from .connection import Connection
from .options import MilvusStoreOptions
from .replacing import DropCollection, begin, beside, settle, take
from .schema import EMBEDDER_PROPERTY, format_of
from .store import MilvusStore


async def recorded(options: MilvusStoreOptions) -> tuple[str, int] | None:
    """The embedder and dimensions the collection was created for; None if there is none.

    Raises:
        StoreMismatchError: the collection is not ours.
        StoreError: Milvus cannot be reached or started.
    """
    connection = await Connection.open(options)
    try:
        await settle(connection)
        if not await connection.call("has_collection"):
            return None
        return described_identity(await connection.call("describe_collection"))
    finally:
        await connection.close()


async def noted(options: MilvusStoreOptions) -> tuple[str, int] | None:
    """The same without opening an embedded store, which only one process can do at a time.

    None also if its file cannot be read. Raises StoreError for a server.
    """
    if options.folder is None:
        return await recorded(options)
    said = await asyncio.to_thread(_said, options.folder, options.collection)
    try:
        name, _, dim = str(said[EMBEDDER_PROPERTY]).rpartition("@")
        return name, int(dim)
    except (ValueError, LookupError):
        return None


def noted_format(options: MilvusStoreOptions) -> int | None:
    """The format of an embedded collection, of its file alone; None if that says nothing."""
    return None if options.folder is None else format_of(_said(options.folder, options.collection))


def _said(folder: Path, collection: str) -> Mapping[str, Any]:
    """The properties of an embedded collection; empty if its file cannot be read."""
    file = folder / "collections" / collection / "schema.json"
    try:
        return dict(json.loads(file.read_text("utf-8"))["properties"])
    except (OSError, ValueError, LookupError, TypeError):
        return {}


class MilvusSwap:
    """The old memories and a target for the new ones, side by side until `finish`.

    Until then the old memories are not changed, and no other code finds the new ones. The target
    outlives a `close` without `finish`: opened again for the same embedder it still holds what was
    put, so that an interrupted run can be resumed. No other process may write meanwhile.
    """

    def __init__(self, connection: Connection, source: MilvusStore, target: MilvusStore) -> None:
        self._connection = connection
        self.source = source
        """The current store, whoever's vectors it holds. Read it with `scan`; do not write."""
        self.target = target
        """The store that replaces it. Put everything; ids that were put before are replaced."""

    @classmethod
    async def open(
        cls, options: MilvusStoreOptions, *, embedder_id: str, dim: int, terms: Analyzer | None
    ) -> MilvusSwap:
        """Open both collections; see `open_for_reindex`."""
        connection = await Connection.open(options)
        try:
            await settle(connection)
            source = await _open_as_is(connection)
            target = await _open_beside(
                connection, options, embedder_id=embedder_id, dim=dim, terms=terms
            )
        except BaseException:
            await connection.close()
            raise
        return cls(connection, source, target)

    async def finish(self) -> None:
        """Replace the old with the new and remove the old. No store is usable after it.

        The only complete copy is never removed, and every step can be repeated: after an
        interruption the next start, or the next `open_for_reindex`, finishes it.

        Raises:
            StoreError: the target holds fewer memories than the source, or a step failed.
        """
        await self.target.maintain()
        there, wanted = await self.target.count_all(), await self.source.count_all()
        if there < wanted:
            raise StoreError(f"only {there} of {wanted} memories were reindexed: nothing changed")
        await take(self._connection, begin(self._connection.collection))
        await settle(self._connection, interrupted=False)

    async def close(self) -> None:
        await self.target.close()
        await self.source.close()
        await self._connection.close()


async def _open_as_is(connection: Connection) -> MilvusStore:
    if not await connection.call("has_collection"):
        raise StoreError(f"there is no collection {connection.collection}: nothing to reindex")
    shared = connection.sharing(connection.collection)
    try:
        opened, dim = await reopen(shared)
    except BaseException:
        await shared.close()
        raise
    return MilvusStore(shared, opened, dim=dim)


async def _open_beside(
    connection: Connection,
    options: MilvusStoreOptions,
    *,
    embedder_id: str,
    dim: int,
    terms: Analyzer | None,
) -> MilvusStore:
    shared = connection.sharing(beside(connection.collection))
    try:
        if await shared.call("has_collection"):
            found = described_identity(await shared.call("describe_collection"))
            if found != (embedder_id, dim):
                await take(shared, DropCollection(shared.collection))
        opened = await prepare(
            shared,
            embedder_id=embedder_id,
            dim=dim,
            partitions=options.partitions,
            keywords=terms is not None,
        )
    except BaseException:
        await shared.close()
        raise
    return MilvusStore(shared, opened, dim=dim, terms=terms)
