"""Queries on the parts of a real engine: what the store cannot tell is told all the same."""

from recollect.memory.model.types import Scope, StoredMemory
from recollect.memory.query.arguments import read_arguments
from recollect.memory.recall.query import Query
from tests.memory.api.client_parts import build
from tests.memory.stores.memories import memory as stored

MANY = 1003
ALICE = Scope(tenant="local", user_id="alice")


async def filled(engine, count):
    [vector] = await engine.parts.embedder.embed(["tea"])
    await engine.parts.store.put(
        [
            StoredMemory(stored(ALICE, f"tea {n}", minutes=n % 7, metadata={"n": n}).item, vector)
            for n in range(count)
        ]
    )


async def test_a_listing_without_a_limit_has_everything():
    """Of any number of memories, each once, in the order of a listing."""
    async with build() as memory:
        engine = memory._engine
        await filled(engine, MANY)
        found = await engine.queries.list(ALICE, read_arguments({}))
        assert len({item.id for item in found}) == MANY
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
