"""The tables of memories in a real PostgreSQL."""

from __future__ import annotations

import asyncpg
import pytest

from recollect.memory.model.errors import InvalidInputError
from recollect.memory.stores import PgvectorStoreOptions, open_store
from recollect.memory.stores.pgvector.database import Tables
from tests.memory.stores.collections_contract import CollectionsContract
from tests.memory.stores.memories import DIM
from tests.memory.stores.sharing_contract import SharedContract, refused_without_a_place

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


async def test_a_place_is_needed():
    """An address of PostgreSQL, where somebody answers."""
    at = {"uri": "postgresql://me:s3cret@127.0.0.1:{port}/db"}
    await refused_without_a_place(PgvectorStoreOptions, **at)
    for uri in ("http://localhost", "/tmp/folder"):
        options = PgvectorStoreOptions.model_validate({"uri": uri})
        with pytest.raises(InvalidInputError, match=r"store\.uri"):
            await open_store(options, embedder_id="fake", dim=DIM)


async def test_a_table_that_another_replica_makes_meanwhile_is_ours(open_at, monkeypatch):
    """Two start at once: one makes the table between the questions of the other, and both open."""
    exists = Tables.exists
    others: list[object] = []

    async def asked(tables: Tables) -> bool:
        if not others:
            others.append(None)
            others.append(await open_at())
        return await exists(tables)

    monkeypatch.setattr(Tables, "exists", asked)
    await open_at()
    assert len(others) == 2
