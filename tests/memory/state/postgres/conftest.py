"""A server of their own, which these tests stop and kill; a database of its own for each test."""

from collections.abc import AsyncIterator

import pytest

from tests.support.postgres_server import PostgresServer, empty_database


@pytest.fixture(scope="module")
def postgres(own_postgres: PostgresServer) -> PostgresServer:
    """Instead of the one of the run."""
    return own_postgres


@pytest.fixture
async def url(postgres: PostgresServer) -> AsyncIterator[str]:
    async with empty_database(postgres) as url:
        yield url
