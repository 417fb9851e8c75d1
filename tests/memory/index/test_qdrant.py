"""Qdrant keeps the contract: in a folder, and over its REST API."""

from functools import partial

import pytest

from recollect.memory.index import QdrantIndexOptions
from tests.memory.index.contract import FolderContract, LastingContract, fails_at_once
from tests.support.budget import scaled
from tests.support.ports import free_port
from tests.support.qdrant_server import QdrantServer


class TestFolder(FolderContract):
    many = scaled(10_000)

    @pytest.fixture
    def folder(self, tmp_path):
        return tmp_path / "index.qdrant"

    @pytest.fixture
    def open_index(self, opening, folder):
        return partial(opening, QdrantIndexOptions(uri=str(folder)))


class TestServer(LastingContract):
    @pytest.fixture
    async def open_index(self, opening):
        async with QdrantServer(key="k3y").serving() as server:
            said = {"uri": server.url, "token": "k3y"}
            yield partial(opening, QdrantIndexOptions.model_validate(said))


async def test_an_unreachable_server_is_an_error(opening, monkeypatch):
    """Searches are exact then, so nobody waits for it."""
    monkeypatch.setattr(QdrantIndexOptions, "call_seconds", 1.0)
    options = QdrantIndexOptions(uri=f"http://127.0.0.1:{free_port()}")
    await fails_at_once(opening, options)
