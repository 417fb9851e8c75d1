"""The one way to a store, and what the options of each say about where it is."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest
from pydantic import TypeAdapter, ValidationError

from recollect.memory.model.types import Scope
from recollect.memory.stores import (
    ChromaStoreOptions,
    InMemoryStoreOptions,
    MilvusStoreOptions,
    QdrantStoreOptions,
    StoreOptions,
    open_store,
)
from recollect.memory.stores.located import LocatedOptions, checked_folder
from tests.memory.stores.contract import DIM, memory, vector
from tests.support.folding import rows

OPTIONS = TypeAdapter(StoreOptions)


def test_backend_decides_the_options():
    """The `backend` key tells the settings apart, and an unknown one is refused."""
    assert OPTIONS.validate_python({"backend": "inmemory"}) == InMemoryStoreOptions()
    assert OPTIONS.validate_python({"backend": "milvus"}) == MilvusStoreOptions()
    with pytest.raises(ValidationError, match="backend"):
        OPTIONS.validate_python({"backend": "papyrus"})
    with pytest.raises(ValidationError, match="uri"):
        OPTIONS.validate_python({"backend": "inmemory", "uri": "x"})


async def test_the_in_memory_store_is_opened():
    """Its options open it, with the dimensions of the embedder."""
    store = await open_store(InMemoryStoreOptions(), embedder_id="test", dim=DIM)
    scope = Scope(tenant="t", user_id="u")
    await store.put([memory(scope)])
    assert len(await store.search(scope, vector(1.0), limit=1)) == 1
    await store.close()


UNION, *_ = get_args(StoreOptions)
KINDS = get_args(UNION)


@rows("kind", KINDS)
def test_every_store_says_where_it_is(kind, tmp_path):
    """Each backend, a new one too: a place in `data_dir` if it needs one, and a key that exists."""
    assert issubclass(kind, LocatedOptions)
    section, _, field = kind.key.partition(".")
    assert section == "store"
    assert field in kind.model_fields
    placed = kind().placed(tmp_path)
    assert placed.placed(Path("elsewhere")) == placed
    assert placed.folder is None or placed.folder.is_relative_to(tmp_path)
    assert placed.lasting == (placed.remote or placed.folder is not None)
    assert placed.shown


@rows("kind", [MilvusStoreOptions, QdrantStoreOptions, ChromaStoreOptions])
@rows("uri", ["unix:/run/milvus.sock", "redis://cache:1", "ftp://x/y"])
def test_an_address_of_another_kind_is_no_folder(kind, uri):
    """It would become a folder of that name; the field is named."""
    with pytest.raises(ValidationError, match="uri"):
        kind(uri=uri)


@rows("kind", [QdrantStoreOptions, ChromaStoreOptions])
def test_a_server_needs_its_scheme(kind):
    """`host:port` would become a folder too."""
    with pytest.raises(ValidationError, match="http://"):
        kind(uri="localhost:6333")


@rows("uri", ["memories", "./a:b/c", "/var/lib/x", "C:/data", "C:\\data"])
def test_a_folder_is_one(uri):
    """Also with a drive, or a colon further on."""
    assert checked_folder(uri) == uri
