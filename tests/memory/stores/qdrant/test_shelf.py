"""The collections of a Qdrant: in the client's local mode, and through its REST API."""

from __future__ import annotations

import pytest

from recollect.memory.model.errors import StoreError
from recollect.memory.model.kept import CollectionPart
from recollect.memory.stores import QdrantStoreOptions, open_collections, open_store
from recollect.memory.stores.qdrant.client import Client
from recollect.memory.stores.qdrant.collection import QdrantAlias
from tests.memory.stores.collections_contract import CollectionsContract, closing, fill
from tests.memory.stores.memories import DIM
from tests.memory.stores.sharing_contract import (
    AloneContract,
    SharedContract,
    refused_without_a_place,
)


class InQdrant(CollectionsContract):
    async def make_foreign(self, options, name):
        from qdrant_client import models

        vectors = models.VectorParams(size=DIM, distance=models.Distance.DOT)
        async with closing(Client.open(options)) as client:
            await client.call("create_collection", collection_name=name, vectors_config=vectors)


class TestCollectionsInAFolder(InQdrant, AloneContract):
    @pytest.fixture
    def options(self, folder_options):
        return folder_options


class TestCollectionsThroughRest(InQdrant, SharedContract):
    @pytest.fixture
    def options(self, server_options):
        return server_options


async def test_what_a_reindex_could_not_remove_is_told(folder_options):
    """Between the two last steps of a replacement the old collection is still there."""
    await fill(folder_options)
    async with closing(Client.open(folder_options)) as client:
        alias = QdrantAlias(client, folder_options.collection)
        await alias.make("recollect_memories_2", "new", DIM)
        await alias.lead_to("recollect_memories_2")
    async with closing(open_collections(folder_options)) as collections:
        found = {one.name: (one.part, one.memories) for one in await collections.list()}
    assert found == {
        "recollect_memories": (CollectionPart.USED, 0),
        "recollect_memories_1": (CollectionPart.REPLACED, 3),
    }


async def test_a_place_is_needed(server):
    """A folder, or an address where somebody answers; a wrong key is told without it."""
    at = {"uri": "http://127.0.0.1:{port}", "api_key": "s3cret"}
    await refused_without_a_place(QdrantStoreOptions, **at)
    wrong = QdrantStoreOptions.model_validate({"uri": server.url, "api_key": "s3cret"})
    with pytest.raises(StoreError, match="401") as told:
        await open_store(wrong, embedder_id="fake", dim=DIM)
    assert "s3cret" not in str(told.value)
