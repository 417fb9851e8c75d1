"""A place for Qdrant: a folder, or its REST API."""

from __future__ import annotations

import pytest

from recollect.memory.stores import QdrantStoreOptions
from tests.support.qdrant_server import QdrantServer


@pytest.fixture
async def server():
    async with QdrantServer(key="k3y").serving() as server:
        yield server


@pytest.fixture
def folder_options(tmp_path):
    return QdrantStoreOptions(uri=str(tmp_path / "memories.qdrant"))


@pytest.fixture
def server_options(server):
    said = {"uri": server.url, "api_key": "k3y", "timeout_seconds": 60}
    return QdrantStoreOptions.model_validate(said)
