"""Chroma keeps the contract: in a folder, and on its real server."""

import uuid
from functools import partial

import pytest

from recollect.memory.index.options import ChromaIndexOptions
from tests.memory.index.contract import FolderContract, LastingContract
from tests.support.chroma_server import ChromaServer


class TestFolder(FolderContract):
    recall = 0.95

    @pytest.fixture
    def folder(self, tmp_path):
        return tmp_path / "index.chroma"

    @pytest.fixture
    def open_index(self, opening, folder):
        return partial(opening, ChromaIndexOptions(uri=str(folder)))


@pytest.fixture(scope="module")
def server():
    server = ChromaServer()
    yield server
    server.stop()


@pytest.mark.process
class TestServer(LastingContract):
    recall = 0.95

    @pytest.fixture
    def open_index(self, opening, server):
        name = f"memories_{uuid.uuid4().hex}"
        options = ChromaIndexOptions(uri=server.url, collection=name)
        return partial(opening, options)
