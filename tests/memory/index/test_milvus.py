"""A real Milvus server keeps the contract."""

import uuid
from functools import partial

import pytest

from recollect.memory.index import MilvusIndexOptions
from tests.memory.index.contract import LastingContract, fails_at_once
from tests.support.ports import free_port

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


async def test_an_unreachable_server_is_an_error(opening, monkeypatch):
    """Searches are exact then, so nobody waits for it."""
    monkeypatch.setattr(MilvusIndexOptions, "call_seconds", 1.0)
    options = MilvusIndexOptions(uri=f"127.0.0.1:{free_port()}")
    await fails_at_once(opening, options)
