"""The shared server with keys of its own for each test, and a server that tests may disturb."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Iterator

import pytest

from recollect.memory.state.redis import RedisState, open_redis_state
from tests.support.redis_server import RedisServer


@pytest.fixture
def prefix() -> str:
    """What all keys of a test begin with: others use the server at the same time."""
    return f"{uuid.uuid4().hex}:"


@pytest.fixture
async def state(redis_server: RedisServer, prefix: str) -> AsyncIterator[RedisState]:
    opened = await open_redis_state(redis_server.url, prefix=prefix, turn_ttl_days=30)
    yield opened
    await opened.close()


@pytest.fixture
async def other(
    redis_server: RedisServer, state: RedisState, prefix: str
) -> AsyncIterator[RedisState]:
    """Another process's view of the same."""
    opened = await open_redis_state(redis_server.url, prefix=prefix, turn_ttl_days=30)
    yield opened
    await opened.close()


@pytest.fixture(scope="session")
def _own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    with RedisServer(tmp_path_factory.mktemp("own-redis")) as server:
        yield server


@pytest.fixture
def own_redis(_own_server: RedisServer) -> RedisServer:
    """Nobody else's, and empty: a test may fill, demote, listen to and empty it."""
    _own_server.command("FLUSHALL")
    return _own_server


@pytest.fixture
async def alone(own_redis: RedisServer) -> AsyncIterator[RedisState]:
    """The state on it."""
    opened = await open_redis_state(own_redis.url, prefix="test:", turn_ttl_days=30)
    yield opened
    await opened.close()
