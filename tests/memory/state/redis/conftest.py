"""One real server for this folder, emptied between tests."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from memory.state.redis import RedisState, open_redis_state
from tests.support.redis_server import RedisServer


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    folder: Path = tmp_path_factory.mktemp("redis")
    with RedisServer(folder) as server:
        yield server


@pytest.fixture
async def state(redis_server: RedisServer) -> AsyncIterator[RedisState]:
    redis_server.command("FLUSHALL")
    opened = await open_redis_state(redis_server.url, prefix="test:", turn_ttl_days=30)
    yield opened
    await opened.close()
