"""The collections of a Chroma, in a folder and on a real server, and how they are opened."""

from __future__ import annotations

import pytest

from recollect.memory.stores import ChromaStoreOptions, open_for_reindex, open_store
from recollect.memory.stores.chroma.client import ChromaClient
from recollect.memory.stores.chroma.collection import OLD_SUFFIX, rename
from tests.memory.stores.collections_contract import ALICE, CollectionsContract, closing, fill
from tests.memory.stores.memories import DIM, memory
from tests.memory.stores.sharing_contract import (
    AloneContract,
    SharedContract,
    refused_without_a_place,
)

pytestmark = pytest.mark.process


class InChroma(CollectionsContract):
    async def make_foreign(self, options, name):
        async with closing(ChromaClient.open(options)) as client:
            await client.call(
                "make", lambda one: one.create_collection(name, embedding_function=None)
            )


class TestCollectionsInAFolder(InChroma, AloneContract):
    @pytest.fixture
    def options(self, folder_options):
        return folder_options


class TestCollectionsOnAServer(InChroma, SharedContract):
    @pytest.fixture
    def options(self, server_options):
        return server_options


async def test_a_place_is_needed():
    """A folder, or an address where somebody answers."""
    at = {"uri": "http://127.0.0.1:{port}", "token": "s3cret"}
    await refused_without_a_place(ChromaStoreOptions, **at)


async def test_a_replacement_that_was_interrupted_is_finished(folder_options):
    """Whenever it ends between two steps, the next start has the complete new collection."""
    options = folder_options
    await fill(options)
    async with closing(open_for_reindex(options, embedder_id="second", dim=DIM)) as swap:
        await swap.target.put([memory(ALICE, "new")])
        await rename(swap._client, options.collection, options.collection + OLD_SUFFIX)
    async with closing(open_store(options, embedder_id="second", dim=DIM)) as store:
        assert [item.text for item in await store.list(ALICE, limit=None)] == ["new"]
