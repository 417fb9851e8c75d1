"""The collections of a Milvus, on Milvus Lite and on a real server."""

from __future__ import annotations

import uuid

import pytest

from recollect.memory.model.kept import CollectionPart
from recollect.memory.stores import MilvusStoreOptions, open_collections
from recollect.memory.stores.milvus import collection
from recollect.memory.stores.milvus.connection import Connection, ServerEndpoint
from recollect.memory.stores.milvus.dialect import dialect_of
from recollect.memory.stores.milvus.replacing import begin, take
from recollect.memory.stores.milvus.schema import collection_schema
from recollect.memory.stores.milvus.shelf import MilvusShelf
from tests.memory.stores.collections_contract import CollectionsContract, closing, fill
from tests.memory.stores.memories import DIM
from tests.memory.stores.sharing_contract import AloneContract, SharedContract

pytestmark = pytest.mark.process


class InMilvus(CollectionsContract):
    async def make_foreign(self, options, name):
        async with closing(Connection.open(options)) as connection:
            dialect = dialect_of(await connection.raw_call("get_server_version"))
            schema = collection_schema(dialect, DIM)
            made = {"schema": schema, "consistency_level": "Strong"}
            await connection.raw_call("create_collection", collection_name=name, **made)


class TestCollectionsOnLite(InMilvus):
    @pytest.fixture
    def options(self, lite_address, monkeypatch):
        """A collection of its own, in a Milvus Lite that runs already."""

        async def connect(_cls, chosen, _sibling=None):
            at = ServerEndpoint(lite_address)
            return Connection(at, collection=chosen.collection, timeout_seconds=60)

        monkeypatch.setattr(Connection, "open", classmethod(connect))
        return MilvusStoreOptions(uri="unused:1", collection=f"c{uuid.uuid4().hex}")

    async def test_what_a_reindex_was_replacing_is_told(self, options):
        """Between the two renames of a replacement the old collection has another name."""
        await fill(options)
        async with closing(Connection.open(options)) as connection:
            await take(connection, begin(options.collection))
        [found] = await self.ours(options)
        assert (found.part, found.memories) == (CollectionPart.REPLACED, 3)


@pytest.mark.server
class TestCollectionsOnServer(InMilvus, SharedContract):
    # Each collection takes seconds there; test_swap.py replaces one.
    test_a_reindexed_collection_takes_the_place_of_the_old_one = None

    @pytest.fixture
    def options(self, server_address, monkeypatch):
        # The usual number takes seconds to make and to load.
        monkeypatch.setattr(collection, "PARTITIONS", 1)
        said = {"uri": server_address, "collection": f"c{uuid.uuid4().hex}", "timeout_seconds": 60}
        every = MilvusShelf.labels

        async def of_this_test(shelf):
            found = await every(shelf)
            return {name: one for name, one in found.items() if name.startswith(said["collection"])}

        # Counting loads and releases: those of other tests are in use at any moment.
        monkeypatch.setattr(MilvusShelf, "labels", of_this_test)
        return MilvusStoreOptions.model_validate(said)

    async def test_what_is_not_in_use_is_not_left_loaded(self, options):
        """Counting loads a collection, which takes the server's memory only for that time."""
        await fill(options)
        async with closing(Connection.open(options)) as connection:
            await connection.call("release_collection")
        async with closing(open_collections(options)) as collections:
            assert (await collections.info(options.collection)).memories == 3
        async with closing(Connection.open(options)) as connection:
            assert "NotLoad" in str(await connection.call("get_load_state"))


class TestAFolder(AloneContract):
    @pytest.fixture
    def options(self, tmp_path):
        return MilvusStoreOptions(uri=str(tmp_path / "memories.db"))


async def test_a_folder_is_looked_after_while_no_other_uses_it(tmp_path):
    """An embedded store is started for it, and stopped again."""
    options = MilvusStoreOptions(uri=str(tmp_path / "memories.db"))
    async with closing(open_collections(options)) as collections:
        await collections.create("recollect_memories", "fake", DIM)
    await fill(options, 2)
    async with closing(open_collections(options)) as collections:
        assert [one.memories for one in await collections.list()] == [2]
