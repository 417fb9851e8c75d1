"""A real Milvus server keeps the contract."""

import uuid
from functools import partial

import pytest

from recollect.memory.index import MilvusIndexOptions
from tests.memory.index.contract import LastingContract

NAME = f"c{uuid.uuid4().hex}"


@pytest.mark.server
class TestServer(LastingContract):
    recall = 0.95

    @pytest.fixture
    def open_index(self, opening, server_address, monkeypatch):
        # A partition takes the test server a second.
        monkeypatch.setattr("recollect.memory.index.milvus.server.PARTITIONS", 4)
        options = MilvusIndexOptions(uri=server_address, collection=NAME)
        return partial(opening, options)
