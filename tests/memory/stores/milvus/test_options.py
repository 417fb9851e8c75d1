"""What a `uri` means, and what the settings refuse."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from recollect.memory.model.errors import InvalidInputError
from recollect.memory.stores.milvus.options import MilvusStoreOptions, endpoint
from tests.support.folding import rows


@rows(
    "uri, meaning",
    [
        ("http://milvus:19530", "http://milvus:19530"),
        ("HTTPS://in01.example.com", "HTTPS://in01.example.com"),
        ("tcp://10.0.0.1:19530", "tcp://10.0.0.1:19530"),
        ("milvus.svc.cluster.local:19530", "http://milvus.svc.cluster.local:19530"),
        ("[::1]:19530", "http://[::1]:19530"),
        ("memories.db", Path("memories.db")),
        ("/data/memories.db", Path("/data/memories.db")),
        ("./a:b/memories.db", Path("a:b/memories.db")),
    ],
)
def test_uri_is_a_server_or_a_folder(uri, meaning):
    """Addresses are servers, everything else is a path."""
    assert endpoint(uri) == meaning


@rows("uri", [None, "", "  "])
def test_no_uri_is_refused(uri):
    """Without one there is nothing to open."""
    with pytest.raises(InvalidInputError, match=r"store\.uri"):
        endpoint(uri)


@rows(
    "bad",
    [
        {"collection": "no-dashes"},
        {"timeout_seconds": 0},
        {"unknown": 1},
    ],
)
def test_bad_settings_are_named(bad):
    """A value out of range, or an unknown key, is refused by its name."""
    with pytest.raises(ValidationError, match=next(iter(bad))):
        MilvusStoreOptions(**bad)


def test_token_is_not_shown():
    """A credential does not end up in a log by accident."""
    assert "geheim" not in repr(MilvusStoreOptions(token="geheim"))
