"""A database of its own for each test, on the server of the run or on one that a test may stop."""

from collections.abc import AsyncIterator

import pytest

from tests.support.postgres_server import PostgresAt, PostgresServer, empty_database


@pytest.fixture
async def url(postgres: PostgresAt) -> AsyncIterator[str]:
    async with empty_database(postgres) as url:
        yield url


@pytest.fixture
async def own_url(own_postgres: PostgresServer) -> AsyncIterator[str]:
    async with empty_database(own_postgres) as url:
        yield url
