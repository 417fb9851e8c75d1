"""The tables of memories in a real PostgreSQL."""

from __future__ import annotations

import asyncpg
import pytest

from recollect.memory.stores import PgvectorStoreOptions
from tests.memory.stores.collections_contract import CollectionsContract
from tests.memory.stores.sharing_contract import SharedContract

pytestmark = pytest.mark.process


class TestCollectionsInPostgres(CollectionsContract, SharedContract):
    @pytest.fixture
    def options(self, url):
        return PgvectorStoreOptions.model_validate({"uri": url})

    async def make_foreign(self, options, name):
        connection = await asyncpg.connect(options.address)
        try:
            await connection.execute(f"CREATE TABLE {name} (id text)")
            await connection.execute(f"COMMENT ON TABLE {name} IS 'recollect'")
        finally:
            await connection.close()
