"""Qdrant keeps the contract: in a folder, and over its REST API."""

from functools import partial

import pytest

from recollect.memory.index.options import QdrantIndexOptions
from tests.memory.index.contract import FolderContract, LastingContract
from tests.support.budget import scaled
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
