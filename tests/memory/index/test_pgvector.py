"""A real PostgreSQL with pgvector keeps the contract."""

from functools import partial

import pytest

from recollect.memory.index.options import PgvectorIndexOptions
from tests.memory.index.contract import LastingContract
from tests.support.postgres_server import empty_database


class TestPgvector(LastingContract):
    @pytest.fixture
    async def open_index(self, opening, postgres):
        async with empty_database(postgres) as url:
            options = PgvectorIndexOptions.model_validate({"uri": url})
            yield partial(opening, options)
