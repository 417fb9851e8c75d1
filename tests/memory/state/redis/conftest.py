"""A server of their own, which is emptied before each test: these tests fill it, stop it, set it up."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from recollect.memory.state.redis import RedisState, open_redis_state
from tests.support.redis_server import RedisServer


@pytest.fixture(scope="module")
def redis_server(own_redis: RedisServer) -> RedisServer:
    """Instead of the one of the run."""
    return own_redis


@pytest.fixture
async def state(redis_server: RedisServer) -> AsyncIterator[RedisState]:
    redis_server.command("FLUSHALL")
    opened = await open_redis_state(redis_server.url, prefix="test:", turn_ttl_days=30)
    yield opened
    await opened.close()
