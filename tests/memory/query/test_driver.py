"""Queries on the parts of a real engine: what the store cannot tell is told all the same."""

from recollect.memory.query.arguments import read_arguments
from recollect.memory.query.driver import PAGE
from recollect.memory.recall.query import Query
from recollect.memory.types import Scope, StoredMemory
from tests.memory.client_parts import build
from tests.memory.stores.memories import memory as stored

ALICE = Scope(tenant="local", user_id="alice")


async def filled(engine, count):
    [vector] = await engine.parts.embedder.embed(["tea"])
    await engine.parts.store.put(
        [
            StoredMemory(stored(ALICE, f"tea {n}", minutes=n % 7, metadata={"n": n}).item, vector)
            for n in range(count)
        ]
    )


async def test_an_export_reads_all_pages():
    """Of any number of memories, each once, in the order of a listing."""
    async with build() as memory:
        engine = memory._engine
        await filled(engine, 2 * PAGE + 3)
        found = [item async for item in engine.queries.every(ALICE, read_arguments({}))]
        assert len({item.id for item in found}) == 2 * PAGE + 3
        order = [(-item.created_at.timestamp(), item.id) for item in found]
        assert order == sorted(order)


async def test_users_without_an_index_are_searched_in_the_store():
    """With the filter, and as many as were asked for."""
    async with build() as memory:
        engine = memory._engine
        await filled(engine, 300)
        engine.recaller.indexes._options = engine.recaller.indexes._options.model_copy(
            update={"max_memories": 10}
        )
        asked = read_arguments({"filters": {"n": {"gte": 100}}})
        hits = await engine.queries.search(ALICE, Query("tea"), asked, limit=150)
        assert len(hits) == 150
        assert all(hit.item.metadata["n"] >= 100 for hit in hits)
