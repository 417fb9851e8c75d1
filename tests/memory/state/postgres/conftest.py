"""A database of its own for each test."""

from collections.abc import AsyncIterator

import pytest

from tests.support.postgres_server import PostgresServer, empty_database


@pytest.fixture
async def url(postgres: PostgresServer) -> AsyncIterator[str]:
    async with empty_database(postgres) as url:
        yield url
