"""Real parts for everybody to share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.memory.stores.milvus.conftest import lite_address, open_at, server_address
from tests.support.redis_server import RedisServer

__all__ = ["lite_address", "open_at", "server_address"]


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """A real one; each example has keys of its own."""
    folder: Path = tmp_path_factory.mktemp("redis")
    with RedisServer(folder) as server:
        yield server
