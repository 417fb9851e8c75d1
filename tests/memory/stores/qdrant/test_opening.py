"""Whose vectors a collection holds, and what is refused."""

from __future__ import annotations

import pytest

from recollect.memory.model.errors import InvalidInputError, StoreError, StoreMismatchError
from recollect.memory.model.types import Scope
from recollect.memory.stores import (
    QdrantStoreOptions,
    noted_identity,
    open_for_reindex,
    open_store,
    recorded_identity,
)
from tests.memory.stores.memories import DIM, memory
from tests.support.ports import free_port

ALICE = Scope(tenant="t", user_id="alice")


async def _open(options, embedder_id="fake", dim=DIM):
    return await open_store(options, embedder_id=embedder_id, dim=dim)


async def test_the_embedder_is_recorded(options):
    """An empty place is nobody's; then it knows its embedder and dimensions."""
    assert await recorded_identity(options) is None
    store = await _open(options, "a/model@1")
    await store.close()
    assert await recorded_identity(options) == ("a/model@1", DIM)
    assert await noted_identity(options) == ("a/model@1", DIM)


@pytest.mark.parametrize("other", [{"embedder_id": "other"}, {"dim": DIM + 1}])
async def test_another_embedder_is_refused_by_name(options, other):
    """Vectors of two embedders are never mixed in a collection."""
    await (await _open(options)).close()
    with pytest.raises(StoreMismatchError, match=r"recollect_memories.*reindex"):
        await _open(options, **other)


async def test_a_foreign_collection_is_left_alone(server, server_options):
    """A collection that Recollect did not make is refused by its name."""
    from qdrant_client import models

    vectors = models.VectorParams(size=DIM, distance=models.Distance.DOT)
    server._local.create_collection("recollect_memories", vectors_config=vectors)
    with pytest.raises(StoreMismatchError, match=r"store\.collection"):
        await _open(server_options)


async def test_a_folder_is_for_one_process(folder_options):
    """Whoever opens it while it is in use is told so; whose vectors it holds is known all the same."""
    store = await _open(folder_options)
    with pytest.raises(StoreError, match="one process"):
        await _open(folder_options)
    assert await noted_identity(folder_options) == ("fake", DIM)
    await store.close()


async def test_a_place_is_needed():
    """Without a folder or an address the error names the setting."""
    with pytest.raises(InvalidInputError, match=r"store\.uri"):
        await _open(QdrantStoreOptions())


async def test_a_server_that_is_away_is_a_store_error():
    """The error names the address."""
    port = free_port()
    with pytest.raises(StoreError, match=str(port)):
        await _open(QdrantStoreOptions(uri=f"http://127.0.0.1:{port}"))


async def test_a_wrong_key_is_a_store_error(server, server_options):
    """The server's refusal is told, without the key."""
    wrong = QdrantStoreOptions.model_validate({"uri": server.url, "api_key": "s3cret"})
    with pytest.raises(StoreError, match="401") as told:
        await _open(wrong)
    assert "s3cret" not in str(told.value)


async def test_a_reindexed_collection_takes_the_place_of_the_old_one(options):
    """An interrupted run goes on, and the alias leads to the new vectors in one step."""
    rows = [memory(ALICE, str(number)) for number in range(3)]
    old = await _open(options)
    await old.put(rows)
    await old.close()
    for embedder_id in ("second", "third"):
        swap = await open_for_reindex(options, embedder_id=embedder_id, dim=DIM)
        await swap.target.put(rows[:2])
        with pytest.raises(StoreError, match="only 2 of 3"):
            await swap.finish()
        await swap.close()
        swap = await open_for_reindex(options, embedder_id=embedder_id, dim=DIM)
        assert await swap.target.count(ALICE) == 2
        assert len(await swap.source.scan(after=None, limit=9)) == 3
        await swap.target.put(rows[2:])
        await swap.finish()
        await swap.close()
        assert await recorded_identity(options) == (embedder_id, DIM)
        assert await noted_identity(options) == (embedder_id, DIM)
    store = await _open(options, "third")
    assert await store.count(ALICE) == 3
    await store.close()


async def test_nothing_is_there_to_reindex(options):
    """An empty place says so."""
    with pytest.raises(StoreError, match="nothing to reindex"):
        await open_for_reindex(options, embedder_id="new", dim=DIM)
