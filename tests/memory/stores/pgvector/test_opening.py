"""Whose vectors a table holds, and what is refused."""

from __future__ import annotations

import pytest

from recollect.memory.model.errors import InvalidInputError, StoreError, StoreMismatchError
from recollect.memory.model.types import Scope
from recollect.memory.stores import (
    PgvectorStoreOptions,
    noted_identity,
    open_for_reindex,
    open_store,
    recorded_identity,
)
from recollect.memory.stores.pgvector.database import Tables
from tests.memory.stores.memories import DIM, memory
from tests.support.ports import free_port

pytestmark = pytest.mark.process


async def test_an_empty_database_is_nobodys(url):
    """Before the first start there is no embedder, and looking makes no table."""
    options = PgvectorStoreOptions.model_validate({"uri": url})
    assert await recorded_identity(options) is None
    with pytest.raises(StoreError, match="nothing to reindex"):
        await open_for_reindex(options, embedder_id="new", dim=DIM)


async def test_the_embedder_is_recorded(url, open_at):
    """A table knows its embedder and dimensions, whatever the id's characters."""
    await open_at(embedder_id="it's/a@model")
    options = PgvectorStoreOptions.model_validate({"uri": url})
    assert await recorded_identity(options) == ("it's/a@model", DIM)
    assert await noted_identity(options) == ("it's/a@model", DIM)


@pytest.mark.parametrize("other", [{"embedder_id": "other"}, {"dim": DIM + 1}])
async def test_another_embedder_is_refused_by_name(open_at, other):
    """Vectors of two embedders are never mixed in a table."""
    await open_at()
    with pytest.raises(StoreMismatchError, match=r"recollect_memories.*reindex"):
        await open_at(**other)


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


async def test_a_foreign_table_is_left_alone(url, open_at):
    """A table that Recollect did not make is refused by its name."""
    import asyncpg

    connection = await asyncpg.connect(url)
    await connection.execute("CREATE TABLE mine (id text)")
    await connection.close()
    with pytest.raises(StoreMismatchError, match=r"mine.*store\.collection"):
        await open_at(collection="mine")


@pytest.mark.parametrize("uri", [None, "", "http://localhost", "/tmp/folder"])
async def test_an_address_is_needed(uri):
    """Without an address of PostgreSQL the error names the setting."""
    options = PgvectorStoreOptions.model_validate({"uri": uri})
    with pytest.raises(InvalidInputError, match=r"store\.uri"):
        await open_store(options, embedder_id="fake", dim=DIM)


async def test_a_server_that_is_away_is_a_store_error():
    """The error names the setting and the address, and never the password."""
    address = f"postgresql://me:s3cret@127.0.0.1:{free_port()}/db"
    options = PgvectorStoreOptions.model_validate({"uri": address})
    with pytest.raises(StoreError, match=r"127\.0\.0\.1") as told:
        await open_store(options, embedder_id="fake", dim=DIM)
    assert "s3cret" not in str(told.value) + repr(options) + options.shown


async def test_a_reindexed_table_takes_the_place_of_the_old_one(url, open_at):
    """An interrupted run goes on, and the names are free for the next one."""
    alice = Scope(tenant="t", user_id="alice")
    rows = [memory(alice, str(number)) for number in range(3)]
    old = await open_at()
    await old.put(rows)
    options = PgvectorStoreOptions.model_validate({"uri": url})
    for embedder_id in ("second", "third"):
        swap = await open_for_reindex(options, embedder_id=embedder_id, dim=DIM)
        await swap.target.put(rows[:2])
        with pytest.raises(StoreError, match="only 2 of 3"):
            await swap.finish()
        await swap.close()
        swap = await open_for_reindex(options, embedder_id=embedder_id, dim=DIM)
        assert await swap.target.count(alice) == 2
        assert len(await swap.source.scan(after=None, limit=9)) == 3
        await swap.target.put(rows[2:])
        await swap.finish()
        await swap.close()
        assert await recorded_identity(options) == (embedder_id, DIM)
    assert await (await open_at(embedder_id="third")).count(alice) == 3
