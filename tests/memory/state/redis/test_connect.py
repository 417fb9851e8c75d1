"""Whatever the client raises is a StateError above, and names no password."""

from __future__ import annotations

import asyncio

import pytest
from redis import exceptions as foreign

from recollect.memory.model.errors import StateError
from recollect.memory.state.redis.connect import translated
from recollect.memory.state.redis.listener import RedisListener
from tests.support.folding import rows
from tests.support.ports import free_port


@rows(
    "error",
    [
        foreign.ConnectionError("refused"),
        foreign.TimeoutError("slow"),
        foreign.BusyLoadingError("LOADING Redis is loading the dataset in memory"),
        foreign.ReadOnlyError("READONLY You can't write against a read only replica."),
        foreign.OutOfMemoryError("OOM command not allowed"),
        foreign.ResponseError("MISCONF Errors writing to the AOF file: No space left on device"),
        foreign.AuthenticationError("WRONGPASS"),
        foreign.NoPermissionError("NOPERM"),
        foreign.MaxConnectionsError(),
        foreign.ClusterDownError("CLUSTERDOWN The cluster is down"),
        foreign.RedisClusterException("no node answers"),
        foreign.SlotNotCoveredError("slot"),
        foreign.InvalidResponse("protocol"),
        ConnectionResetError("reset"),
        OSError("unreachable"),
        ValueError("cannot be read"),
    ],
)
async def test_foreign_errors(error):
    """Each kind, with the foreign one as its cause and a message that says something."""
    with pytest.raises(StateError, match=r"redis .*[a-zA-Z]") as caught:
        async with translated():
            raise error
    assert caught.value.__cause__ is error


async def test_a_server_that_is_away_has_advice():
    """For `/readyz`: what to check, without the address."""
    with pytest.raises(StateError) as caught:
        async with translated():
            raise foreign.ConnectionError("Error 111 connecting to 10.0.0.1:6379")
    assert "redis.url" in caught.value.advice
    assert "10.0.0.1" not in caught.value.advice


async def test_time_is_bounded():
    """Whatever hangs within ends as a StateError."""
    with pytest.raises(StateError, match="TimeoutError"):
        async with translated(seconds=0.01):
            await asyncio.sleep(3600)


@rows("error", [asyncio.CancelledError(), KeyError("a bug of ours")])
async def test_what_is_not_foreign_passes(error):
    """Neither a cancelled call nor a mistake is taken for a failing server."""
    with pytest.raises(type(error)):
        async with translated():
            raise error


async def test_a_listener_that_cannot_connect():
    """It fails at once, instead of trying silently."""
    with pytest.raises(StateError):
        await RedisListener.open(f"redis://127.0.0.1:{free_port()}", "channel")
