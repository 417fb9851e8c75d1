"""What the options of each store say about where it is."""

from pathlib import Path
from typing import get_args

import pytest
from pydantic import ValidationError

from recollect.memory.stores import (
    ChromaStoreOptions,
    MilvusStoreOptions,
    QdrantStoreOptions,
    StoreOptions,
)
from recollect.memory.stores.located import LocatedOptions, checked_folder

UNION, *_ = get_args(StoreOptions)
KINDS = get_args(UNION)


@pytest.mark.parametrize("kind", KINDS)
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


@pytest.mark.parametrize("kind", [MilvusStoreOptions, QdrantStoreOptions, ChromaStoreOptions])
@pytest.mark.parametrize("uri", ["unix:/run/milvus.sock", "redis://cache:1", "ftp://x/y"])
def test_an_address_of_another_kind_is_no_folder(kind, uri):
    """It would become a folder of that name; the field is named."""
    with pytest.raises(ValidationError, match="uri"):
        kind(uri=uri)


@pytest.mark.parametrize("kind", [QdrantStoreOptions, ChromaStoreOptions])
def test_a_server_needs_its_scheme(kind):
    """`host:port` would become a folder too."""
    with pytest.raises(ValidationError, match="http://"):
        kind(uri="localhost:6333")


@pytest.mark.parametrize("uri", ["memories", "./a:b/c", "/var/lib/x", "C:/data", "C:\\data"])
def test_a_folder_is_one(uri):
    """Also with a drive, or a colon further on."""
    assert checked_folder(uri) == uri
