"""The only user of pymilvus' client: connects, limits every call, and translates errors."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

from pydantic import SecretStr

from ...model.errors import StoreError, StoreUnwritableError
from ...util.siblings import Sibling
from ..shared.rows import Row
from .columns import Columns, delete_rows, insert_rows, query_columns
from .light import import_pymilvus
from .lite import LiteEndpoint
from .lite_disk import MARK
from .options import MilvusStoreOptions, endpoint
from .shared_lite import SharedLite

_LONGEST_REASON = 300


class Endpoint(Protocol):
    """The address of a Milvus."""

    async def address(self) -> str:
        """The current address. Raises StoreError if there is none."""

    def look(self, *, log_too: bool = True) -> str:
        """What happened to its files since they were opened; empty if they are there."""

    async def close(self) -> None:
        """Release it."""


class ServerEndpoint:
    """A server that is not started by us."""

    def __init__(self, url: str) -> None:
        self._url = url

    async def address(self) -> str:
        return self._url

    def look(self, *, log_too: bool = True) -> str:
        """A server looks after its own files."""
        del log_too
        return ""

    async def close(self) -> None:
        """The server keeps running."""


class Connection:
    """Calls of `AsyncMilvusClient` on one collection. Bound to the event loop that opened it."""

    def __init__(
        self,
        at: Endpoint,
        *,
        collection: str,
        timeout_seconds: float,
        token: SecretStr | None = None,
        shared: bool = False,
    ) -> None:
        """A `shared` endpoint is closed by its owner."""
        self.endpoint = at
        self._shared = shared
        self.collection = collection
        self._timeout = timeout_seconds
        self._token = token
        self._client: Any = None
        self._address: str | None = None
        self._connecting = asyncio.Lock()

    @classmethod
    async def open(cls, options: MilvusStoreOptions, sibling: Sibling | None = None) -> Connection:
        """Reach the configured Milvus; starts it if it is embedded. Raises StoreError.

        The parent of a `sibling` starts it for all of them.
        """
        where = endpoint(options.uri)
        # Only users of Milvus pay for the import, an eighth of a second and 20 MB, off the loop.
        at, _ = await asyncio.gather(_reached(where, sibling), asyncio.to_thread(import_pymilvus))
        # pymilvus logs errors with a stack and the filter; the same errors are raised to us.
        logging.getLogger("pymilvus").setLevel(logging.CRITICAL)
        return cls(
            at,
            collection=options.collection,
            timeout_seconds=options.timeout_seconds,
            token=options.token,
        )

    def sharing(self, collection: str) -> Connection:
        """Another connection to the same endpoint; close it before this one."""
        return Connection(
            self.endpoint,
            collection=collection,
            timeout_seconds=self._timeout,
            token=self._token,
            shared=True,
        )

    async def call(self, method: str, /, **arguments: Any) -> Any:
        """Call a method on the collection. Raises StoreError."""
        return await self.raw_call(method, collection_name=self.collection, **arguments)

    async def raw_call(
        self, method: str, /, *, timeout_seconds: float | None = None, **arguments: Any
    ) -> Any:
        """Call a method of the client. Raises StoreError."""
        with translated(method.replace("_", " ")):
            client = await self._connected()
            timeout = timeout_seconds or self._timeout
            return await getattr(client, method)(timeout=timeout, **arguments)

    async def columns(self, **arguments: Any) -> Columns:
        """Query the collection; the answer is columns. Raises StoreError."""
        with translated("query"):
            client = await self._connected()
            return await query_columns(
                client, collection_name=self.collection, timeout=self._timeout, **arguments
            )

    async def insert(self, rows: Sequence[Row], partition: str) -> None:
        """Insert rows into a partition. Raises StoreError."""
        with translated("insert"):
            client = await self._connected()
            await insert_rows(
                client, rows, self.collection, partition=partition, timeout=self._timeout
            )

    async def delete(self, condition: str) -> None:
        """Delete the rows that match. Raises StoreError."""
        with translated("delete"):
            client = await self._connected()
            await delete_rows(
                client,
                collection_name=self.collection,
                filter=condition,
                timeout=self._timeout,
            )

    async def close(self) -> None:
        """Disconnect, and end the process if it is ours."""
        async with self._connecting:
            await self._hang_up()
        if not self._shared:
            await self.endpoint.close()

    async def _connected(self) -> Any:
        address = await self.endpoint.address()
        if address == self._address:
            return self._client
        async with self._connecting:
            if address != self._address:
                await self._hang_up()
                self._client = await self._connect(address)
                self._address = address
            return self._client

    async def _connect(self, address: str) -> Any:
        from pymilvus import AsyncMilvusClient

        token = self._token.get_secret_value() if self._token else ""
        # Dedicated: a shared connection outlives its client and is never closed.
        client = AsyncMilvusClient(uri=address, token=token, timeout=self._timeout, dedicated=True)
        return await client.__aenter__()

    async def _hang_up(self) -> None:
        client, self._client, self._address = self._client, None, None
        if client is not None:
            with translated("close"):
                await client.close()


async def _reached(where: str | Path, sibling: Sibling | None) -> Endpoint:
    if isinstance(where, str):
        return ServerEndpoint(where)
    if sibling is not None:
        return await SharedLite.open(where, sibling)
    return await LiteEndpoint.open(where)


@contextlib.contextmanager
def translated(action: str) -> Iterator[None]:
    """Turn every error of pymilvus and gRPC into a StoreError."""
    import grpc  # type: ignore[import-untyped]
    from pymilvus.exceptions import MilvusException

    try:
        yield
    except (MilvusException, grpc.RpcError, OSError, TimeoutError) as error:
        reason = _reason(error)
        kind = StoreUnwritableError if MARK in reason else StoreError
        raise kind(f"milvus: {action} failed: {reason}") from error


def _reason(error: BaseException) -> str:
    """The error in one line of bounded length: some messages contain whole rows."""
    message = getattr(error, "message", None) or str(error) or type(error).__name__
    return " ".join(str(message).split())[:_LONGEST_REASON]
