"""A real PostgreSQL with pgvector keeps the contract."""

from functools import partial

import pytest

from recollect.memory.index import PgvectorIndexOptions
from tests.memory.index.contract import LastingContract, fails_at_once
from tests.support.ports import free_port
from tests.support.postgres_server import empty_database


class TestPgvector(LastingContract):
    @pytest.fixture
    async def open_index(self, opening, postgres):
        async with empty_database(postgres) as url:
            options = PgvectorIndexOptions.model_validate({"uri": url})
            yield partial(opening, options)


async def test_an_unreachable_server_is_an_error(opening, monkeypatch):
    """Searches are exact then, so nobody waits for it."""
    monkeypatch.setattr(PgvectorIndexOptions, "call_seconds", 1.0)
    where = {"uri": f"postgresql://nobody@127.0.0.1:{free_port()}/none"}
    await fails_at_once(opening, PgvectorIndexOptions.model_validate(where))
