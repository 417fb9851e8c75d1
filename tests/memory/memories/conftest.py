"""A database of its own for each test."""

import pytest

from tests.support.postgres_server import empty_database


@pytest.fixture
async def url(postgres):
    async with empty_database(postgres) as url:
        yield url
