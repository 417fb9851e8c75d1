"""What a server says about itself decides whether it will do, and what a bad one looks like."""

from __future__ import annotations

import asyncio
import signal

import pytest

from recollect.memory.model.errors import StateError
from recollect.memory.state.redis import open_redis
from recollect.memory.state.redis.connect import POOL_SIZE, UnfitServerError, facts_from
from tests.support.ports import free_port
from tests.support.redis_server import RedisServer


def test_versions():
    """6.2 and everything after it will do, Valkey says 7.2 or more here; what is too old is named."""
    for version in ("6.2.0", "6.2.14", "7.0.1", "7.2.4", "8.0.0-rc1", "10.1"):
        assert facts_from({"redis_version": version}).version == version
    for version in ("2.8.4", "5.0.9", "6.0.20"):
        with pytest.raises(UnfitServerError, match=r"too old.*6\.2"):
            facts_from({"redis_version": version})
    assert not facts_from({}).cluster


async def take(admission, tenant="t"):
    return (await admission.take(tenant, None, burst=9, per_second=0.001)).left


@pytest.mark.process
async def test_a_user_who_may_not_ask(tmp_path):
    """Managed servers forbid INFO: everything else works."""
    with RedisServer(tmp_path) as server:
        rules = ("on", ">pw", "~t:*", "resetchannels", "&t:*", "+@all", "-info", "-config")
        assert server.command("ACL", "SETUSER", "app", *rules) == b"+OK\r\n"
        bus, admission = await open_redis(
            server.url.replace("redis://", "redis://app:pw@"), prefix="t:"
        )
        assert await take(admission) == 8
        await bus.publish("replicas", "text")
        await bus.close()


async def test_no_server():
    """It can be opened before Redis is there; calls raise ours and name what is wrong."""
    url = f"redis://:secret@127.0.0.1:{free_port()}/0"
    bus, admission = await open_redis(url, "t:")
    for call in (bus.ping, lambda: take(admission), lambda: bus.publish("c", "text")):
        with pytest.raises(StateError, match="redis failed") as caught:
            await call()
        assert "secret" not in str(caught.value)
    await bus.close()


@pytest.mark.process
async def test_it_works_once_the_server_is_there(tmp_path):
    """Nobody has to restart us for it, and it is the only copy of nothing: a flushed one goes on."""
    server = RedisServer(tmp_path)
    bus, admission = await open_redis(server.url, "t:")
    with server:
        assert await take(admission) == 8
        server.command("FLUSHALL")
        server.command("SCRIPT", "FLUSH")
        assert await take(admission) == 8
        await bus.ping()
        await bus.close()


async def test_a_silent_server(own_redis):
    """A call ends in time and leaves no answer for the next one to take for its own."""
    bus, admission = await open_redis(own_redis.url, "silent:")
    await take(admission)
    own_redis.process.send_signal(signal.SIGSTOP)
    try:
        with pytest.raises(StateError):
            await take(admission)
    finally:
        own_redis.process.send_signal(signal.SIGCONT)
    # The resent ones may have counted.
    assert await take(admission, "other") == 8
    await bus.close()


async def test_more_calls_than_connections(own_redis):
    """A burst waits for connections; their number stays bounded."""
    bus, admission = await open_redis(own_redis.url, "test:")
    left = await asyncio.gather(*(take(admission, f"t{n}") for n in range(20 * POOL_SIZE)))
    assert set(left) == {8.0}
    clients = own_redis.command("INFO", "clients").decode()
    assert int(clients.split("connected_clients:")[1].split("\r")[0]) <= POOL_SIZE + 2
    await bus.close()


@pytest.mark.parametrize("url", ["http://localhost", "localhost:6379", "redis://host:port"])
async def test_an_address_that_is_none(url):
    """It is said at the start."""
    with pytest.raises(StateError, match=r"redis\.url"):
        await open_redis(url, "t:")


@pytest.mark.process
async def test_a_socket_file_and_a_password(tmp_path):
    """`unix://` works as `redis://` does; the credentials in the address are used."""
    path = tmp_path / "r.sock"
    with RedisServer(tmp_path / "data", unixsocket=str(path), requirepass="p@ss:word") as server:
        for url in (
            f"unix://:p%40ss%3Aword@{path}",
            f"redis://:p%40ss%3Aword@127.0.0.1:{server.port}",
        ):
            bus, _ = await open_redis(url, "t:")
            await bus.ping()
            await bus.close()
        refused, _ = await open_redis(f"redis://:wrong@127.0.0.1:{server.port}", "t:")
        with pytest.raises(StateError):
            await refused.ping()
        await refused.close()
