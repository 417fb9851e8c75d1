"""The Qdrant store keeps the contract: in the client's local mode, and through its REST API."""

from __future__ import annotations

import pytest

from recollect.memory.model.types import Scope
from recollect.memory.stores import open_store
from tests.memory.stores.contract import DIM, BasicContract, StoreContract, memory


class TestInAFolder(StoreContract):
    many = 300

    @pytest.fixture
    async def store(self, folder_options):
        store = await open_store(folder_options, embedder_id="fake", dim=DIM)
        yield store
        await store.close()


class TestThroughRest(BasicContract):
    @pytest.fixture
    async def store(self, server_options):
        store = await open_store(server_options, embedder_id="fake", dim=DIM)
        yield store
        await store.close()


async def test_ids_that_begin_alike_follow_each_other(folder_options):
    """Pages are in the order of the ids, also where more than a page has the same rank."""
    store = await open_store(folder_options, embedder_id="fake", dim=DIM)
    alice = Scope(tenant="t", user_id="alice")
    ids = [*(f"memory-{n:03}" for n in range(25)), "a", "memory", "z", "\u00e9", "memory-"]
    await store.put([memory(alice, each, id=each) for each in ids])
    found, after = [], None
    while page := await store.scan(after=after, limit=4):
        found += [one.item.id for one in page]
        after = found[-1]
    assert found == sorted(ids)
    assert [item.id for item in await store.walk("t", after="memory-020", limit=3)] == [
        "memory-021", "memory-022", "memory-023",
    ]  # fmt: skip
    await store.close()


async def test_they_outlive_the_process(folder_options):
    """A folder that is opened again has what was put."""
    alice = Scope(tenant="t", user_id="alice")
    store = await open_store(folder_options, embedder_id="fake", dim=DIM)
    await store.put([memory(alice, "likes tea")])
    await store.close()
    store = await open_store(folder_options, embedder_id="fake", dim=DIM)
    assert [item.text for item in await store.list(alice, limit=None)] == ["likes tea"]
    await store.close()
