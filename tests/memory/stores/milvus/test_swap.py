"""A collection is replaced by another one, and whatever interrupts it, nothing is lost."""

from __future__ import annotations

import uuid

import numpy as np
import pytest

from recollect.memory.model.errors import StoreError
from recollect.memory.model.types import MemoryStatus, Scope, StoredMemory
from recollect.memory.stores import (
    MilvusStoreOptions,
    noted_identity,
    open_for_reindex,
    open_store,
)
from recollect.memory.stores.milvus.connection import Connection, ServerEndpoint
from tests.memory.stores.contract import DIM, ids, memory, words

pytestmark = pytest.mark.process

ALICE = Scope(tenant="t", user_id="alice")
WIDER = DIM + 4


@pytest.fixture(params=["lite", pytest.param("server", marks=pytest.mark.server)])
def options(request, monkeypatch):
    """Options of a collection of its own, on a Milvus that runs already."""
    return options_at(request.getfixturevalue(f"{request.param}_address"), monkeypatch)


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


@pytest.mark.parametrize(
    ("options", "completed"),
    [
        *(("lite", number) for number in range(3)),
        pytest.param("server", 1, marks=pytest.mark.server),
    ],
    indirect=["options"],
)
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


async def test_embedded_store_is_replaced_in_its_folder(tmp_path):
    """The same with the process that serves a folder, which both sides share."""
    options = MilvusStoreOptions(uri=str(tmp_path / "memories.db"))
    stored = await fill(options)
    swap = await open_for_reindex(options, embedder_id="new", dim=WIDER)
    await copy(swap)
    await swap.finish()
    await swap.close()
    assert ids(await held(options)) == ids(stored)
