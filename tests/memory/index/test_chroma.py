"""Chroma keeps the contract: in a folder, and on its real server."""

import uuid
from functools import partial

import pytest

from recollect.memory.index import ChromaIndexOptions
from tests.memory.index.contract import FolderContract, LastingContract, fails_at_once
from tests.support.chroma_server import ChromaServer
from tests.support.ports import free_port


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


async def test_an_unreachable_server_is_an_error(opening, monkeypatch):
    """Searches are exact then, so nobody waits for it."""
    monkeypatch.setattr(ChromaIndexOptions, "call_seconds", 1.0)
    options = ChromaIndexOptions(uri=f"http://127.0.0.1:{free_port()}")
    await fails_at_once(opening, options)
