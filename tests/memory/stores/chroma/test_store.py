"""The Chroma store keeps the contract, in a folder and on a real server."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recollect.memory.model.types import Scope
from recollect.memory.query import parse
from recollect.memory.stores import open_store
from tests.memory.stores.contract import DIM, BasicContract, StoreContract, memory

pytestmark = pytest.mark.process


class TestInAFolder(StoreContract):
    many = 300

    @pytest.fixture
    async def store(self, folder_options):
        store = await open_store(folder_options, embedder_id="fake", dim=DIM)
        yield store
        await store.close()


class TestOnAServer(BasicContract):
    @pytest.fixture
    async def store(self, server_options):
        store = await open_store(server_options, embedder_id="fake", dim=DIM)
        yield store
        await store.close()


async def test_a_text_that_left_the_metadata_leaves_the_store(folder_options):
    """What is written for filters goes with what it was made of."""
    store = await open_store(folder_options, embedder_id="fake", dim=DIM)
    alice = Scope(tenant="t", user_id="alice")
    kept = memory(alice, metadata={"tag": "work", "car": {"colour": "red"}})
    await store.put([kept])
    changed = replace(kept, item=replace(kept.item, metadata={"tag": "home"}))
    await store.put([changed])
    [row] = (await store._points._run("read", lambda c: c.get(include=["metadatas"])))["metadatas"]
    assert {key: value for key, value in row.items() if key.startswith("m:")} == {"m:tag": "home"}
    assert await store.list(alice, limit=None, where=parse({"car.colour": "red"})) == []
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
