"""A place for Chroma: a folder, or a real server."""

from __future__ import annotations

import uuid

import pytest

from recollect.memory.stores import ChromaStoreOptions
from tests.support.chroma_server import ChromaServer


@pytest.fixture(scope="session")
def server():
    server = ChromaServer()
    yield server
    server.stop()


@pytest.fixture
def folder_options(tmp_path):
    return ChromaStoreOptions(uri=str(tmp_path / "memories.chroma"))


@pytest.fixture
def server_options(server):
    name = f"memories_{uuid.uuid4().hex}"
    return ChromaStoreOptions(uri=server.url, timeout_seconds=60, collection=name)
