"""A PostgreSQL that goes away under the store, and comes back."""

from __future__ import annotations

import asyncio

import pytest

from recollect.memory.model.errors import StoreError
from recollect.memory.model.types import Scope
from recollect.memory.stores import PgvectorStoreOptions, open_store
from tests.memory.stores.memories import DIM, memory, vector
from tests.support.postgres_server import PostgresServer

pytestmark = pytest.mark.process
ALICE = Scope(tenant="t", user_id="alice")


async def test_killed_under_writes_it_keeps_what_it_acknowledged():
    """Calls fail as errors of the store while it is away; afterwards the same store goes on."""
    server = PostgresServer()
    await asyncio.to_thread(server.start)
    try:
        options = PgvectorStoreOptions.model_validate({"uri": server.url(), "timeout_seconds": 60})
        store = await open_store(options, embedder_id="fake", dim=DIM)
        kept: list[str] = []

        async def write() -> None:
            for number in range(10_000):
                one = memory(ALICE, str(number))
                await store.put([one])
                kept.append(one.item.id)

        writing = asyncio.ensure_future(write())
        while len(kept) < 50:
            await asyncio.sleep(0.01)
        await asyncio.to_thread(server.kill)
        with pytest.raises(StoreError, match=r"127\.0\.0\.1|localhost|PostgreSQL"):
            await writing
        with pytest.raises(StoreError):
            await store.ping()
        await asyncio.to_thread(server.start)
        await store.ping()
        found = {item.id for item in await store.list(ALICE, limit=None)}
        assert set(kept) <= found
        assert len(found) <= len(kept) + 1
        await store.put([memory(ALICE, at=vector(1.0))])
        await store.close()
    finally:
        await asyncio.to_thread(server.remove)
