"""A place for each store: a temporary folder, or a real server that is started for it."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from recollect.memory.stores import (
    ChromaStoreOptions,
    InMemoryStoreOptions,
    MilvusStoreOptions,
    PgvectorStoreOptions,
    QdrantStoreOptions,
    StoreOptions,
)
from tests.support.chroma_server import ChromaServer
from tests.support.postgres_server import PostgresServer
from tests.support.qdrant_server import QdrantServer

sys.path += [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "recall")]
from milvus_server import Server, available

SERVER_SECONDS = 60.0
"""Time limit of one call, on a server that shares a core with everything else."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a store keeps what it holds."""

    options: StoreOptions
    at_once: int = 1
    """Calls that it gets at once where many are sent: a strong read of Milvus waits 200 ms."""


@asynccontextmanager
async def _in_process() -> AsyncIterator[Place]:
    yield Place(InMemoryStoreOptions())


@asynccontextmanager
async def _milvus_lite() -> AsyncIterator[Place]:
    with tempfile.TemporaryDirectory() as folder:
        yield Place(MilvusStoreOptions(uri=str(Path(folder) / "memories.db")))


@asynccontextmanager
async def _milvus_server() -> AsyncIterator[Place]:
    if not available():
        raise SystemExit("the milvus server wheel is not installed (Linux x86-64 only)")
    with tempfile.TemporaryDirectory() as folder:
        server = await asyncio.to_thread(Server, Path(folder))
        try:
            options = MilvusStoreOptions(uri=server.url, timeout_seconds=SERVER_SECONDS)
            yield Place(options, at_once=50)
        finally:
            await asyncio.to_thread(server.stop)


@asynccontextmanager
async def _pgvector() -> AsyncIterator[Place]:
    server = PostgresServer()
    await asyncio.to_thread(server.start)
    try:
        said = {"uri": server.url(), "timeout_seconds": SERVER_SECONDS}
        yield Place(PgvectorStoreOptions.model_validate(said), at_once=4)
    finally:
        await asyncio.to_thread(server.remove)


@asynccontextmanager
async def _qdrant_folder() -> AsyncIterator[Place]:
    with tempfile.TemporaryDirectory() as folder:
        yield Place(QdrantStoreOptions(uri=str(Path(folder) / "memories.qdrant")))


@asynccontextmanager
async def _qdrant_rest() -> AsyncIterator[Place]:
    async with QdrantServer().serving() as server:
        yield Place(QdrantStoreOptions(uri=server.url, timeout_seconds=SERVER_SECONDS), at_once=4)


@asynccontextmanager
async def _chroma_folder() -> AsyncIterator[Place]:
    with tempfile.TemporaryDirectory() as folder:
        yield Place(ChromaStoreOptions(uri=str(Path(folder) / "memories.chroma")))


@asynccontextmanager
async def _chroma_server() -> AsyncIterator[Place]:
    server = await asyncio.to_thread(ChromaServer)
    try:
        options = ChromaStoreOptions(uri=server.url, timeout_seconds=SERVER_SECONDS)
        yield Place(options, at_once=4)
    finally:
        await asyncio.to_thread(server.stop)


PLACES: dict[str, Callable[[], AbstractAsyncContextManager[Place]]] = {
    "inmemory": _in_process,
    "milvus-lite": _milvus_lite,
    "milvus-server": _milvus_server,
    "pgvector": _pgvector,
    "chroma-folder": _chroma_folder,
    "chroma-server": _chroma_server,
    "qdrant-folder": _qdrant_folder,
    "qdrant-rest": _qdrant_rest,
}
"""By the names that the tables of docs/stores.md have."""
