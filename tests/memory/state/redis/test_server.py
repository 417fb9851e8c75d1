"""What a server says about itself decides whether it will do."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from recollect.memory.model.errors import FormatError
from recollect.memory.state.redis import open_redis_state
from recollect.memory.state.redis.connect import UnfitServerError, facts_from
from tests.memory.state.samples import turn
from tests.support.redis_server import RedisServer

pytestmark = pytest.mark.process

GOOD = {
    "redis_version": "7.2.4",
    "cluster_enabled": 0,
    "aof_enabled": 1,
    "maxmemory_policy": "noeviction",
}


@pytest.mark.parametrize("version", ["6.2.0", "6.2.14", "7.0.1", "7.2.4", "8.0.0-rc1", "10.1"])
def test_new_enough(version: str) -> None:
    """6.2 and everything after it; Valkey says 7.2 or more here."""
    assert facts_from(GOOD | {"redis_version": version}).version == version


@pytest.mark.parametrize("version", ["2.8.4", "5.0.9", "6.0.20"])
def test_too_old(version: str) -> None:
    """It is named, with what is needed."""
    with pytest.raises(UnfitServerError, match=r"too old.*6\.2"):
        facts_from(GOOD | {"redis_version": version})


def test_nothing_is_known() -> None:
    """A server that may not be asked is taken as it is."""
    facts = facts_from({})
    assert not facts.cluster
    assert facts.warnings() == []


@pytest.mark.parametrize(
    ("change", "word"),
    [({"aof_enabled": 0}, "append-only"), ({"maxmemory_policy": "allkeys-lru"}, "noeviction")],
)
def test_what_may_lose_turns_is_said(change: dict[str, object], word: str) -> None:
    """One sentence each, that names the setting."""
    assert facts_from(GOOD).warnings() == []
    [warning] = facts_from(GOOD | change).warnings()
    assert word in warning


def test_answers_before_the_disk_are_said() -> None:
    """The usual setting may lose two seconds; only `always` keeps every acknowledged turn."""
    [warning] = facts_from(GOOD, "everysec").warnings()
    assert "always" in warning
    assert facts_from(GOOD, "always").warnings() == []
    [warning] = facts_from(GOOD | {"aof_enabled": 0}, "everysec").warnings()
    assert "append-only" in warning


async def test_the_setting_is_read(tmp_path: Path) -> None:
    """From a real server."""
    with RedisServer(tmp_path, appendfsync="everysec") as server:
        state = await open_redis_state(server.url, prefix="t:", turn_ttl_days=1)
        assert (await state.wire.facts()).fsync == "everysec"
        await state.close()


async def test_a_careless_server_is_warned_about(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """At the opening, in the log; it is used all the same."""
    with (
        RedisServer(tmp_path, appendonly="no", maxmemory_policy="allkeys-lru") as server,
        caplog.at_level(logging.WARNING),
    ):
        state = await open_redis_state(server.url, prefix="t:", turn_ttl_days=1)
        await state.close()
    assert len(caplog.records) == 2


async def test_a_user_who_may_not_ask(tmp_path: Path) -> None:
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


async def test_another_format_is_refused(redis_server):
    """A version that would misread the keys of another one says so; the same one joins."""
    redis_server.command("FLUSHALL")
    for _ in range(2):
        state = await open_redis_state(redis_server.url, prefix="mixed:", turn_ttl_days=30)
        await state.close()
    for noted, told in (("recollect 2", "data of format 2"), ("1", "without a format number")):
        redis_server.command("SET", "mixed:format", noted)
        with pytest.raises(FormatError, match=f"prefix 'mixed:', has .*{told}"):
            await open_redis_state(redis_server.url, prefix="mixed:", turn_ttl_days=30)
    # Written by a commit that noted nothing.
    redis_server.command("DEL", "mixed:format")
    redis_server.command("ZADD", "mixed:{index}:owned", "0", "x")
    with pytest.raises(FormatError, match="without a format number"):
        await open_redis_state(redis_server.url, prefix="mixed:", turn_ttl_days=30)
    redis_server.command("FLUSHALL")


async def test_a_server_that_was_flushed_is_no_other_format(redis_server):
    """What is written afterwards tells its format, although its key is gone."""
    redis_server.command("FLUSHALL")
    state = await open_redis_state(redis_server.url, prefix="mixed:", turn_ttl_days=30)
    redis_server.command("FLUSHALL")
    await state.conversations.record(turn("a"))
    await state.close()
    again = await open_redis_state(redis_server.url, prefix="mixed:", turn_ttl_days=30)
    assert (await again.conversations.record(turn("b"))).pending == 2
    await again.close()
    redis_server.command("FLUSHALL")
