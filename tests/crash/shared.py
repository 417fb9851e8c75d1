"""Backends of crash runs on real servers: what replicas share, in PostgreSQL and Milvus."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable
from pathlib import Path

import asyncpg

from tests.crash.matrix import Backend, embedded
from tests.support.postgres_server import PostgresServer

POSTGRES = "PostgreSQL + Lite"
MILVUS = "PostgreSQL + Milvus"
PGVECTOR = "PostgreSQL + pgvector"


def with_files(postgres: PostgresServer, interrupt: Callable[[], object]) -> Backend:
    """Everything in PostgreSQL but the memories, which are in files."""
    store = embedded().store
    return Backend(POSTGRES, _databases(postgres), store, interrupt)


def shared(
    postgres: PostgresServer, milvus: str | None, interrupt: Callable[[], object]
) -> list[Backend]:
    """Memories in Milvus, if there is one, and in PostgreSQL; all else in PostgreSQL."""
    database = _databases(postgres)

    def backend(name: str, store: Callable[[Path], str]) -> Backend:
        return Backend(name, database, store, interrupt, files=False)

    found = [backend(PGVECTOR, database)]
    return found if milvus is None else [*found, backend(MILVUS, lambda _: milvus)]


def _databases(server: PostgresServer) -> Callable[[Path], str]:
    """A database of one's own for each folder."""
    made: dict[Path, str] = {}

    def database(folder: Path) -> str:
        if folder not in made:
            made[folder] = asyncio.run(new_database(server))
        return made[folder]

    return database


async def new_database(server: PostgresServer) -> str:
    """The URL of an empty database, which goes with the server."""
    name = f"crash_{uuid.uuid4().hex}"
    admin = await asyncpg.connect(server.url())
    await admin.execute(f"CREATE DATABASE {name}")
    await admin.close()
    return server.url(name)
