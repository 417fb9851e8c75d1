"""What a server says about itself decides whether it will do."""

from __future__ import annotations

import logging

import pytest

from recollect.memory.state.redis import open_redis_state
from recollect.memory.state.redis.connect import UnfitServerError, facts_from
from tests.support.redis_server import RedisServer

pytestmark = pytest.mark.process

GOOD = {
    "redis_version": "7.2.4",
    "cluster_enabled": 0,
    "aof_enabled": 1,
    "maxmemory_policy": "noeviction",
}


def test_versions():
    """6.2 and everything after it will do, Valkey says 7.2 or more here; what is too old is named."""
    for version in ("6.2.0", "6.2.14", "7.0.1", "7.2.4", "8.0.0-rc1", "10.1"):
        assert facts_from(GOOD | {"redis_version": version}).version == version
    for version in ("2.8.4", "5.0.9", "6.0.20"):
        with pytest.raises(UnfitServerError, match=r"too old.*6\.2"):
            facts_from(GOOD | {"redis_version": version})


def test_what_may_lose_turns_is_said():
    """One sentence each, that names the setting; of a server that may not be asked, nothing."""
    for change, fsync, words in (
        ({"aof_enabled": 0}, None, ["append-only"]),
        ({"maxmemory_policy": "allkeys-lru"}, None, ["noeviction"]),
        # The usual setting may lose two seconds; only `always` keeps every acknowledged turn.
        ({}, "everysec", ["always"]),
        ({}, "always", []),
        ({"aof_enabled": 0}, "everysec", ["append-only"]),
        ({}, None, []),
    ):
        found = facts_from(GOOD | change, *filter(None, [fsync])).warnings()
        assert len(found) == len(words)
        assert all(word in warning for word, warning in zip(words, found, strict=True))
    unknown = facts_from({})
    assert (unknown.cluster, unknown.warnings()) == (False, [])


async def test_the_setting_is_read(tmp_path):
    """From a real server."""
    with RedisServer(tmp_path, appendfsync="everysec") as server:
        state = await open_redis_state(server.url, prefix="t:", turn_ttl_days=1)
        assert (await state.wire.facts()).fsync == "everysec"
        await state.close()


async def test_a_careless_server_is_warned_about(tmp_path, caplog):
    """At the opening, in the log; it is used all the same."""
    with (
        RedisServer(tmp_path, appendonly="no", maxmemory_policy="allkeys-lru") as server,
        caplog.at_level(logging.WARNING),
    ):
        state = await open_redis_state(server.url, prefix="t:", turn_ttl_days=1)
        await state.close()
    assert len(caplog.records) == 2


async def test_a_user_who_may_not_ask(tmp_path):
    """Managed servers forbid INFO: everything else works."""
    with RedisServer(tmp_path) as server:
        rules = ("on", ">pw", "~t:*", "resetchannels", "&t:*", "+@all", "-info", "-config")
        answer = server.command("ACL", "SETUSER", "app", *rules)
        assert answer == b"+OK\r\n"
        url = server.url.replace("redis://", "redis://app:pw@")
        state = await open_redis_state(url, prefix="t:", turn_ttl_days=1)
        assert await state.jobs.depth() == 0
        await state.peers.publish("local")
        await state.close()


async def test_a_newer_replica_is_not_joined(redis_server, prefix):
    """A version that would misread the keys of another one is refused by name; the same one joins."""
    for _ in range(2):
        state = await open_redis_state(redis_server.url, prefix=prefix, turn_ttl_days=30)
        await state.close()
    redis_server.command("SET", f"{prefix}format", "2")
    with pytest.raises(UnfitServerError, match=r"newer version.*format 2.*upgrade this replica"):
        await open_redis_state(redis_server.url, prefix=prefix, turn_ttl_days=30)
