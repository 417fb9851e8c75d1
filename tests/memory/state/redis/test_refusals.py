"""A Redis that reads and does not write: told in words, counted, never half done, and over by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import redis

from recollect.memory.model.errors import StateUnwritableError
from recollect.memory.model.types import Job, Scope, Spent
from recollect.memory.state.redis import RedisState
from recollect.memory.state.redis.connect import refusal
from tests.memory.state.samples import ALICE, BOB, NOON, job, turn
from tests.support.folding import rows
from tests.support.ports import free_port
from tests.support.redis_server import RedisServer

DAY = NOON.date()


class OutOfMemoryError(Exception):
    """As the client names it, which takes the word away."""


@rows(
    "error, word",
    [
        (OutOfMemoryError("command not allowed when used memory > 'maxmemory'."), "maxmemory"),
        (Exception("MISCONF Errors writing to the AOF file: No space left on device"), "disk"),
        (Exception("MISCONF Redis is configured to save RDB snapshots, but ..."), "disk"),
        (Exception("NOREPLICAS Not enough good replicas to write."), "min-replicas-to-write"),
        (
            Exception("Error running script: @user_script:9: -READONLY You can't write"),
            "only reads",
        ),
        (Exception("user_script:15: OOM command not allowed"), "maxmemory"),
    ],
)
def test_answers_that_say_so(error, word):
    """Whatever the word stands behind, with what mends it and no address."""
    found = refusal(error)
    assert found is not None
    assert word in str(found)
    assert found.advice in str(found)
    assert "by itself" in found.advice


@rows("text", ["ERR unknown command", "LOADING Redis is loading", "NOAUTH", "the ROOM is full"])
def test_other_answers(text):
    """Anything else is no refusal of writes."""
    assert refusal(Exception(text)) is None


SETTINGS = {
    "memory": (("CONFIG", "SET", "maxmemory", "1"), ("CONFIG", "SET", "maxmemory", "0")),
    "replica": (
        ("REPLICAOF", "127.0.0.1", "{port}"),
        ("REPLICAOF", "NO", "ONE"),
    ),
    "disk": (
        ("CONFIG", "SET", "save", "3600 1"),
        ("CONFIG", "SET", "save", ""),
    ),
}
"""How a server is brought to refuse writes, and back."""


async def refuse(server: RedisServer, how: str) -> None:
    words = [word.format(port=free_port()) for word in SETTINGS[how][0]]
    server.command(*words)
    if how == "disk":
        # A snapshot that cannot be saved: its name is a folder.
        (server.folder / "taken").mkdir(exist_ok=True)
        server.command("CONFIG", "SET", "dbfilename", "taken")
        server.command("BGSAVE")
        while b"rdb_last_bgsave_status:err" not in server.command("INFO", "persistence"):
            await asyncio.sleep(0.01)


async def write_again(server: RedisServer, how: str) -> None:
    server.command(*SETTINGS[how][1])
    if how == "disk":
        server.command("CONFIG", "SET", "dbfilename", "dump.rdb")
        server.command("BGSAVE")
        while b"rdb_last_bgsave_status:ok" not in server.command("INFO", "persistence"):
            await asyncio.sleep(0.01)


async def claimed(state: RedisState, seconds: float = 0) -> Job:
    found = await state.jobs.claim(now=NOON + timedelta(seconds=seconds), lease_seconds=60)
    assert found is not None
    return found


@pytest.fixture
async def held(alone):
    """Something of everything: turns, a leased job of each user, a dead one, a tombstone, costs."""
    await alone.conversations.record(turn("a", tokens=3))
    for name, scope in (("dead", ALICE), ("j", ALICE), ("k", BOB)):
        await alone.jobs.put(job(name, scope=scope))
    await alone.jobs.dead_letter(await claimed(alone), error="no", raw="said")
    found = {each.id: each for each in (await claimed(alone), await claimed(alone))}
    await alone.tombstones.add("local", ["m1"])
    await alone.ledger.spend("local", DAY, Spent(1, 10, 5))
    return found


Write = Callable[[RedisState, dict[str, Job]], Awaitable[Any]]
EVE = Scope(tenant="local", user_id="eve")
WRITES: dict[str, Write] = {
    "record": lambda state, _: state.conversations.record(turn("b")),
    "record again": lambda state, _: state.conversations.record(replace(turn("a"), tokens=9)),
    "record elsewhere": lambda state, _: state.conversations.record(turn("x", "c9", scope=EVE)),
    "put": lambda state, _: state.jobs.put(job("new", scope=EVE)),
    "claim": lambda state, _: state.jobs.claim(now=NOON, lease_seconds=60),
    "extend": lambda state, held: state.jobs.extend(held["j"], until=NOON + timedelta(hours=1)),
    "checkpoint": lambda state, held: state.jobs.save_checkpoint(held["j"], "decisions"),
    "retry": lambda state, held: state.jobs.retry(held["k"], at=NOON, error="later"),
    "dead_letter": lambda state, held: state.jobs.dead_letter(held["k"], error="no", raw="said"),
    "ack": lambda state, held: state.jobs.ack(held["j"]),
    "revive": lambda state, _: state.jobs.revive("dead"),
    "erase jobs": lambda state, _: state.jobs.erase(BOB),
    "learned": lambda state, _: state.conversations.mark_learned("c1", 1),
    "given up": lambda state, _: state.conversations.give_up("c1", 0, 1),
    "erase turns": lambda state, _: state.conversations.erase(ALICE),
    "prune": lambda state, _: state.conversations.prune(learned_before=NOON + timedelta(days=9)),
    "tombstone": lambda state, _: state.tombstones.add("local", ["m2"]),
    "close a scope": lambda state, _: state.tombstones.close_scope(ALICE),
    "spend": lambda state, _: state.ledger.spend("local", DAY, Spent(1, 10, 5)),
    "call": lambda state, _: state.ledger.call("local", NOON, most=None),
    "standing": lambda state, _: state.standings.change("local", "m", None, "new"),
    "version": lambda state, _: state.peers.bump("alice"),
}


def contents(server: RedisServer) -> dict[str, Any]:
    """What every key holds."""
    with redis.Redis(port=server.port, decode_responses=True) as client:
        readers: dict[str, Callable[[str], Any]] = {
            "hash": client.hgetall,
            "zset": lambda key: client.zrange(key, 0, -1, withscores=True),
            "set": client.smembers,
            "string": client.get,
            "stream": lambda key: (client.xrange(key), client.xpending(key, "workers")),
        }
        return {key: readers[client.type(key)](key) for key in sorted(client.keys("test:*"))}


@pytest.mark.parametrize("how", SETTINGS)
async def test_no_write_is_half_done(own_redis, alone, held, how):
    """Each is carried out whole or not at all; what was refused is counted, and reading goes on."""
    refused = 0
    done: set[str] = set()
    await refuse(own_redis, how)
    try:
        for name, write in WRITES.items():
            before = contents(own_redis)
            try:
                await write(alone, held)
            except StateUnwritableError:
                refused += 1
                assert contents(own_redis) == before, name
            else:
                done.add(name)
                # What makes room is never refused for want of memory.
                assert how == "memory" or contents(own_redis) == before, name
        assert refused >= len(WRITES) / 3
        assert alone.wire.writes.refused == refused
        [first] = await alone.conversations.unlearned("c1", 9) or [turn("a")]
        assert first.user_text == "user a"
        assert await alone.tombstones.among("local", ["m1", "m2"]) == {"m1"}
        assert sum((await alone.jobs.counts()).values()) >= 2
        with pytest.raises(StateUnwritableError):
            await alone.wire.ping()
        assert alone.wire.writes.refused == refused
    finally:
        await write_again(own_redis, how)
    await alone.wire.ping()
    assert alone.wire.writes.why is None
    again = await alone.conversations.record(turn("b"))
    assert again.seq == 2
    assert await alone.jobs.put(job("new", scope=EVE)) == ("put" not in done)
    assert await alone.ledger.spend("local", DAY, Spent(1, 10, 5)) == Spent(2, 20, 10)


async def test_no_job_is_begun_that_could_keep_nothing(own_redis, alone):
    """With its memory full Redis hands no job out: its model would be asked in vain, again and again."""
    await alone.jobs.put(job("j"))
    own_redis.command("CONFIG", "SET", "maxmemory", "1")
    try:
        with pytest.raises(StateUnwritableError, match="maxmemory"):
            await alone.jobs.claim(now=NOON, lease_seconds=60)
    finally:
        own_redis.command("CONFIG", "SET", "maxmemory", "0")
    assert (await claimed(alone)).attempts == 1


async def test_too_few_replicas(own_redis, alone):
    """A plain command is refused and so is the ping; what reads still reads."""
    own_redis.command("CONFIG", "SET", "min-replicas-to-write", "1")
    try:
        with pytest.raises(StateUnwritableError, match="min-replicas-to-write"):
            await alone.tombstones.add("local", ["m1"])
        with pytest.raises(StateUnwritableError):
            await alone.wire.ping()
        assert await alone.tombstones.among("local", ["m1"]) == set()
    finally:
        own_redis.command("CONFIG", "SET", "min-replicas-to-write", "0")
    await alone.wire.ping()
    await alone.tombstones.add("local", ["m1"])
