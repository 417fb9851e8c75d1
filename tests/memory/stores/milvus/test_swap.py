"""A collection is replaced by another one, and whatever interrupts it, nothing is lost."""

from __future__ import annotations

import logging
import uuid

import numpy as np
import pytest

from recollect.memory.model.errors import InvalidInputError, StoreError
from recollect.memory.model.types import MemoryStatus, Scope, StoredMemory
from recollect.memory.query import parse
from recollect.memory.stores import (
    InMemoryStoreOptions,
    MilvusStoreOptions,
    noted_identity,
    open_for_reindex,
    open_store,
    recorded_identity,
)
from recollect.memory.stores.milvus import collection
from recollect.memory.stores.milvus.connection import Connection, ServerEndpoint
from recollect.memory.stores.milvus.facets import FACETS
from recollect.memory.stores.milvus.where import Tells
from tests.memory.stores.contract import DIM, ids, memory, vector, words

pytestmark = pytest.mark.process

ALICE = Scope(tenant="t", user_id="alice")
WIDER = DIM + 4


@pytest.fixture(params=["lite", pytest.param("server", marks=pytest.mark.server)])
def options(request, monkeypatch):
    """Options of a collection of its own, on a Milvus that runs already."""
    return options_at(request.getfixturevalue(f"{request.param}_address"), monkeypatch)


@pytest.fixture
def server_options(server_address, monkeypatch):
    """The same, always on a server."""
    return options_at(server_address, monkeypatch)


def options_at(address, monkeypatch):
    async def connect(_cls, chosen, _sibling=None):
        return Connection(
            ServerEndpoint(address),
            collection=chosen.collection,
            timeout_seconds=chosen.timeout_seconds,
        )

    monkeypatch.setattr(Connection, "open", classmethod(connect))
    return MilvusStoreOptions(uri="unused:1", collection=f"c{uuid.uuid4().hex}")


def widened(kept: StoredMemory) -> StoredMemory:
    """The memory with a vector of the new embedder."""
    numbers = np.zeros(WIDER, dtype=np.float32)
    numbers[-1] = 1.0
    return StoredMemory(kept.item, numbers)


async def fill(options, number=5):
    stored = [memory(ALICE, str(n), status=list(MemoryStatus)[n % 3]) for n in range(number)]
    store = await open_store(options, embedder_id="old", dim=DIM)
    await store.put(stored)
    await store.close()
    return stored


async def copy(swap):
    for kept in await swap.source.scan(after=None, limit=100):
        await swap.target.put([widened(kept)])


async def held(options, embedder_id="new", dim=WIDER):
    store = await open_store(options, embedder_id=embedder_id, dim=dim)
    found = await store.scan(after=None, limit=100)
    await store.close()
    return found


async def names(options):
    connection = await Connection.open(options)
    found = await connection.raw_call("list_collections")
    await connection.close()
    return sorted(name for name in found if name.startswith(options.collection))


async def test_the_embedder_is_known_without_opening(options):
    """Also while another process has the embedded store; of no store, and a broken file, nothing."""
    assert await noted_identity(options) is None
    await fill(options)
    store = await open_store(options, embedder_id="old", dim=DIM)
    assert await noted_identity(options) == await noted_identity(options) == ("old", DIM)
    await store.close()
    if options.folder is None:
        return
    file = options.folder / "collections" / options.collection / "schema.json"
    for content in ("", "[]", "{}", '{"properties": {"recollect.embedder": "old"}}'):
        file.write_text(content)
        assert await noted_identity(options) is None


async def test_what_was_begun_for_another_embedder_is_thrown_away(options):
    """The place beside is emptied when the wish has changed."""
    stored = await fill(options)
    first = await open_for_reindex(options, embedder_id="tried", dim=DIM)
    await first.target.put(stored)
    await first.close()
    second = await open_for_reindex(options, embedder_id="new", dim=WIDER)
    assert await second.target.scan(after=None, limit=9) == []
    await second.close()


@pytest.mark.parametrize("completed", [0, 1, 2])
async def test_interrupted_end_is_finished_by_the_next_start(
    options, completed, monkeypatch, caplog
):
    """However many of its steps were done, the next start finds every memory, and tidies up."""
    stored = await fill(options)
    swap = await open_for_reindex(options, embedder_id="new", dim=WIDER)
    await copy(swap)
    call = Connection.raw_call
    steps = []

    async def dies(self, method, /, **arguments):
        if method in {"rename_collection", "drop_collection"}:
            if len(steps) == completed:
                raise StoreError("killed")
            steps.append(method)
        return await call(self, method, **arguments)

    monkeypatch.setattr(Connection, "raw_call", dies)
    with pytest.raises(StoreError, match="killed"):
        await swap.finish()
    await swap.close()
    monkeypatch.setattr(Connection, "raw_call", call)
    if completed == 0:
        assert ids(await held(options, "old", DIM)) == ids(stored)
        return
    assert ids(await held(options)) == ids(stored)
    assert await names(options) == [options.collection]
    assert "a reindex that was interrupted" in caplog.text


async def test_keyword_search_is_added_by_a_reindex(tmp_path):
    """The same embedder again makes a collection from before keyword search searchable."""
    options = MilvusStoreOptions(uri=str(tmp_path / "memories.db"))
    stored = await fill(options)
    swap = await open_for_reindex(options, embedder_id="old", dim=DIM, terms=words)
    await swap.target.put(await swap.source.scan(after=None, limit=99))
    await swap.finish()
    await swap.close()
    store = await open_store(options, embedder_id="old", dim=DIM, terms=words)
    active = stored[0]
    hits = await store.search_keywords(ALICE, [active.item.text], limit=9)
    assert ids(hits) == {active.item.id}
    await store.close()


@pytest.mark.server
class TestFacetsOnServer:
    """A collection of an earlier version has no facets; a reindex gives it them."""

    WHERE = parse({"tag": "a", "n": {"gte": 2}})

    @pytest.fixture
    def options(self, server_options):
        return server_options

    @pytest.fixture
    async def stored(self, options, monkeypatch):
        """What is in a collection without facets."""
        of_now = collection.collection_schema

        def of_then(*given, **how):
            made = of_now(*given, **how)
            made.fields.remove(next(field for field in made.fields if field.name == FACETS))
            return made

        stored = [
            memory(ALICE, str(n), status=list(MemoryStatus)[n % 2], id=f"m{n}",
                   metadata={"tag": "ab"[n % 2], "n": n})
            for n in range(6)
        ]  # fmt: skip
        with monkeypatch.context() as earlier:
            earlier.setattr(collection, "collection_schema", of_then)
            store = await open_store(options, embedder_id="old", dim=DIM)
            await store.put(stored)
            await store.close()
        return stored

    async def answered(self, options):
        """What it tells of its metadata, what passes the filter, and how many it counts."""
        store = await open_store(options, embedder_id="old", dim=DIM)
        listed = ids(await store.list(ALICE, limit=None, where=self.WHERE))
        found = ids(await store.search(ALICE, vector(1.0), limit=9, where=self.WHERE, fresh=True))
        count = await store.count(ALICE, where=self.WHERE, fresh=True)
        tells = store._store._tells if hasattr(store, "_store") else store._tells
        await store.close()
        return tells, listed, found, count

    async def test_it_goes_on_as_it_was(self, options, stored, caplog):
        """It opens, takes memories, answers filters, and says how to make them faster."""
        caplog.set_level(logging.INFO)
        expected = {"m2", "m4"}
        assert await self.answered(options) == (Tells.NOTHING, expected, expected, 2)
        assert "recollect reindex --rebuild" in caplog.text
        store = await open_store(options, embedder_id="old", dim=DIM)
        await store.put([memory(ALICE, "new", id="m9", metadata={"tag": "a", "n": 9})])
        await store.close()
        assert (await self.answered(options))[1] == expected | {"m9"}

    async def test_a_reindex_gives_it_facets(self, options, stored):
        """With the same embedder, everything as it was; an interrupted one is gone on with."""
        first = await open_for_reindex(options, embedder_id="old", dim=DIM)
        await first.target.put(stored[:2])
        await first.close()
        expected = {"m2", "m4"}
        assert await self.answered(options) == (Tells.NOTHING, expected, expected, 2)
        second = await open_for_reindex(options, embedder_id="old", dim=DIM)
        kept = await second.source.scan(after=None, limit=99)
        assert ids(await second.target.scan(after=None, limit=99)) == {"m0", "m1"}
        await second.target.put(kept)
        await second.finish()
        await second.close()
        assert await self.answered(options) == (Tells.FACETS, expected, expected, 2)
        found = await held(options, "old", DIM)
        assert {m.item.id: m.item for m in found} == {m.item.id: m.item for m in stored}


async def test_what_is_not_kept_cannot_be_reindexed():
    """The store in this process has no identity on record and nothing to replace."""
    assert await recorded_identity(InMemoryStoreOptions()) is None
    with pytest.raises(InvalidInputError, match=r"store\.backend"):
        await open_for_reindex(InMemoryStoreOptions(), embedder_id="new", dim=DIM)


async def test_embedded_store_is_replaced_in_its_folder(tmp_path):
    """The same with the process that serves a folder, which both sides share."""
    options = MilvusStoreOptions(uri=str(tmp_path / "memories.db"))
    stored = await fill(options)
    swap = await open_for_reindex(options, embedder_id="new", dim=WIDER)
    await copy(swap)
    await swap.finish()
    await swap.close()
    assert ids(await held(options)) == ids(stored)
