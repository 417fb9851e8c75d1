"""Keys of its own for each test on the server of the run, and a state alone on a server."""

from __future__ import annotations

import uuid

import pytest

from recollect.memory.state.redis import open_redis_state


@pytest.fixture
def prefix():
    """What all keys of a test begin with: others use the server at the same time."""
    return f"{uuid.uuid4().hex}:"


@pytest.fixture
async def state(redis_server, prefix):
    opened = await open_redis_state(redis_server.url, prefix=prefix, turn_ttl_days=30)
    yield opened
    await opened.close()


@pytest.fixture
async def other(redis_server, state, prefix):
    """Another process's view of the same."""
    opened = await open_redis_state(redis_server.url, prefix=prefix, turn_ttl_days=30)
    yield opened
    await opened.close()


@pytest.fixture
async def alone(own_redis):
    """On a server that was empty, and which a test may fill, demote, listen to and empty."""
    own_redis.command("FLUSHALL")
    opened = await open_redis_state(own_redis.url, prefix="test:", turn_ttl_days=30)
    yield opened
    await opened.close()
