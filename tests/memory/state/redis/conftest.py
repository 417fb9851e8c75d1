"""Keys of its own for each test on the server of the run."""

from __future__ import annotations

import uuid

import pytest

from recollect.memory.state.redis import open_redis


@pytest.fixture
def prefix():
    """What all keys of a test begin with: others use the server at the same time."""
    return f"{uuid.uuid4().hex}:"


@pytest.fixture
async def admission(redis_server, prefix):
    bus, opened = await open_redis(redis_server.url, prefix)
    yield opened
    await bus.close()


@pytest.fixture
async def other(redis_server, admission, prefix):
    """Another process's view of the same."""
    bus, opened = await open_redis(redis_server.url, prefix)
    yield opened
    await bus.close()
