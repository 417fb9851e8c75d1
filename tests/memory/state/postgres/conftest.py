"""A database of its own for each test, on the server of the run or on one that a test may stop."""

import pytest

from tests.support.postgres_server import empty_database


@pytest.fixture
async def url(postgres):
    async with empty_database(postgres) as url:
        yield url


@pytest.fixture
async def own_url(own_postgres):
    async with empty_database(own_postgres) as url:
        yield url
