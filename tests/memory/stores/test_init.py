"""The one way to a store."""

from __future__ import annotations

import pytest
from pydantic import TypeAdapter, ValidationError

from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.types import Scope
from recollect.memory.stores import (
    InMemoryStoreOptions,
    MilvusStoreOptions,
    StoreOptions,
    open_store,
)
from tests.memory.stores.contract import DIM, memory, vector

OPTIONS = TypeAdapter(StoreOptions)


def test_backend_decides_the_options():
    """The `backend` key tells the settings apart, and an unknown one is refused."""
    assert OPTIONS.validate_python({"backend": "inmemory"}) == InMemoryStoreOptions()
    assert OPTIONS.validate_python({"backend": "milvus"}) == MilvusStoreOptions()
    with pytest.raises(ValidationError, match="backend"):
        OPTIONS.validate_python({"backend": "papyrus"})
    with pytest.raises(ValidationError, match="uri"):
        OPTIONS.validate_python({"backend": "inmemory", "uri": "x"})


async def test_opens_the_in_memory_store():
    """Its options open it, with the dimensions of the embedder."""
    store = await open_store(InMemoryStoreOptions(), embedder_id="test", dim=DIM)
    scope = Scope(tenant="t", user_id="u")
    await store.put([memory(scope)])
    assert len(await store.search(scope, vector(1.0), limit=1)) == 1
    await store.close()


@pytest.mark.process
async def test_opens_milvus_lite(tmp_path):
    """A path opens the embedded Milvus, which can be maintained."""
    options = MilvusStoreOptions(uri=str(tmp_path / "memories.db"))
    store = await open_store(options, embedder_id="test", dim=DIM)
    await store.maintain()
    await store.ping()
    await store.close()


async def test_milvus_without_an_address_is_refused():
    """Nothing is guessed about where memories go."""
    with pytest.raises(InvalidInputError, match=r"store\.uri"):
        await open_store(MilvusStoreOptions(), embedder_id="test", dim=DIM)


def test_only_a_server_is_remote(tmp_path):
    """What can come back by itself is waited for; a folder that does not open is an error."""
    assert MilvusStoreOptions(uri="http://milvus:19530").remote
    assert MilvusStoreOptions(uri="milvus:19530").remote
    assert not MilvusStoreOptions(uri=str(tmp_path)).remote
    assert not InMemoryStoreOptions().remote
