"""Captured turns among several processes: expiry, the index, restarts, awkward ids."""

from __future__ import annotations

import asyncio
import contextlib
import random
import time
from dataclasses import replace
from datetime import timedelta

import pytest

from recollect.memory.model.errors import StateError
from recollect.memory.model.types import Scope
from recollect.memory.state.redis import open_redis_state
from recollect.memory.state.redis.keys import Keys
from tests.memory.state.samples import ALICE, NOON, turn
from tests.support.redis_server import RedisAt, RedisServer

MONTH_MS = 30 * 86_400_000


@pytest.fixture
def keys_of(prefix):
    return Keys(prefix)


@pytest.fixture
async def hasty(redis_server, prefix):
    """One that keeps learned turns for 50 ms."""
    opened = await open_redis_state(redis_server.url, prefix=prefix, turn_ttl_days=0.05 / 86_400)
    yield opened
    await opened.close()


def number(server: RedisServer, *command: str) -> int:
    return int(server.command(*command)[1:].strip())


async def test_counting_is_exact_among_replicas(state, other):
    """Two proxies record the same and different turns at once: each position is given once."""
    chance = random.Random(3)
    tellings = [turn(f"t{n % 60}", tokens=2) for n in range(180)]
    chance.shuffle(tellings)
    kept = await asyncio.gather(
        *(
            store.conversations.record(telling)
            for telling, store in zip(tellings, [state, other] * 90, strict=True)
        )
    )
    by_turn = {}
    for telling, recorded in zip(tellings, kept, strict=True):
        assert by_turn.setdefault(telling.id, recorded.seq) == recorded.seq
    assert sorted(by_turn.values()) == list(range(1, 61))
    last = await state.conversations.record(turn("t0", tokens=2))
    assert (last.pending, last.pending_tokens) == (60, 120)


async def test_what_was_learned_expires_and_nothing_else(redis_server, keys_of, state):
    """A conversation's keys get an end when all is learned, and lose it when it goes on."""
    keys = keys_of.conversation("c1")
    await state.conversations.record(turn("a"))
    assert number(redis_server, "PTTL", keys.turns) == -1
    await state.conversations.mark_learned("c1", 1)
    for key in (keys.turns, keys.learned):
        assert 0 < number(redis_server, "PTTL", key) <= MONTH_MS
    await state.conversations.record(turn("a"))
    assert number(redis_server, "PTTL", keys.turns) > 0
    await state.conversations.record(turn("b"))
    for key in keys:
        assert number(redis_server, "PTTL", key) == -1
    # By its id a turn is found for longer: somebody may ask to forget what was said in it.
    assert number(redis_server, "PTTL", keys_of.turn("c1/a")) > 2 * MONTH_MS


async def test_what_was_given_up_never_expires(redis_server, keys_of, hasty):
    """Whatever else of its conversation was learned, before or after; once learned, it does."""
    await hasty.conversations.record(turn("a"))
    await hasty.conversations.record(turn("b"))
    await hasty.conversations.mark_learned("c1", 2)
    await hasty.conversations.give_up("c1", 0, 1)
    await hasty.conversations.record(turn("c"))
    await hasty.conversations.mark_learned("c1", 3)
    await asyncio.sleep(0.15)
    await hasty.conversations.prune(learned_before=NOON)
    assert [t.user_text for t in await hasty.conversations.turns("c1", 0, 9)] == ["user a"]
    keys = keys_of.conversation("c1")
    assert number(redis_server, "PTTL", keys.turns) == -1
    await hasty.conversations.mark_learned("c1", 1, after_seq=0)
    assert number(redis_server, "PTTL", keys.turns) != -1


async def test_an_expired_conversation_leaves_no_traces(redis_server, keys_of, hasty):
    """Pruning and looking for pending turns also clear the index of what is gone."""
    await hasty.conversations.record(turn("a"))
    await hasty.conversations.record(turn("a", "stays"))
    await hasty.conversations.mark_learned("c1", 1)
    await asyncio.sleep(0.15)
    assert await hasty.conversations.prune(learned_before=NOON) == 0
    left = await hasty.conversations.pending(idle_since=None, scope=None)
    assert [found.conversation_id for found in left] == ["stays"]
    index = keys_of.index
    assert number(redis_server, "ZCARD", index.owned) == 1
    assert number(redis_server, "ZCARD", index.open) == 1
    assert number(redis_server, "HLEN", index.generations) == 1 + len("!")
    again = await hasty.conversations.record(turn("b"))
    assert (again.seq, again.pending) == (1, 1)


async def test_learned_texts_go_though_the_conversation_goes_on(hasty):
    """Text that was learned long ago is erased when its conversation is used, or pruned."""
    await hasty.conversations.record(turn("a"))
    await hasty.conversations.record(turn("b"))
    await hasty.conversations.mark_learned("c1", 1)
    await asyncio.sleep(0.1)
    assert (await hasty.conversations.record(turn("c"))).seq == 3
    assert [t.seq for t in await hasty.conversations.turns("c1", 0, 9)] == [2, 3]
    await hasty.conversations.mark_learned("c1", 2)
    await asyncio.sleep(0.1)
    assert await hasty.conversations.prune(learned_before=NOON - timedelta(days=1)) == 1
    assert [t.seq for t in await hasty.conversations.turns("c1", 0, 9)] == [3]


async def test_what_was_forgotten_is_known_for_good(redis_server, keys_of, hasty):
    """A conversation from which something was erased never expires: it must not come back."""
    await hasty.conversations.record(turn("a"))
    await hasty.conversations.record(turn("b"))
    assert await hasty.conversations.erase_turns("local", ["c1/a"]) == 1
    await hasty.conversations.mark_learned("c1", 9)
    await asyncio.sleep(0.15)
    again = await hasty.conversations.record(turn("a"))
    assert (again.seq, again.pending) == (1, 0)
    values = redis_server.command("HVALS", keys_of.conversation("c1").turns)
    assert b"user a" not in values


async def test_no_text_stays_anywhere_after_erasing(redis_server, prefix, state):
    """Not under any key of the server."""
    await state.conversations.record(replace(turn("a"), user_text="a-secret", images=("data:x",)))
    await state.conversations.record(replace(turn("b"), assistant_text="b-secret"))
    await state.conversations.mark_learned("c1", 1)
    assert await state.conversations.erase(ALICE) == 2
    dumped = b"".join(
        redis_server.command(command, key.decode(), *more)
        for key in redis_server.command("KEYS", f"{prefix}*").split(b"\r\n")[2::2]
        for command, *more in (("HGETALL",), ("GET",), ("ZRANGE", "0", "-1"))
    )
    assert b"c1" in dumped
    assert b"secret" not in dumped


async def test_a_turn_recorded_during_the_look_is_not_overlooked(state, other):
    """Looking for pending turns clears the index of learned ones, never of one just recorded."""
    over = False

    async def look() -> None:
        while not over:
            await other.conversations.pending(idle_since=None, scope=None)

    async def use() -> None:
        nonlocal over
        for at in range(150):
            recorded = await state.conversations.record(turn(f"t{at}"))
            [found] = await state.conversations.pending(idle_since=None, scope=None)
            assert found.seq == recorded.seq
            await state.conversations.mark_learned("c1", recorded.seq)
        over = True

    await asyncio.gather(look(), look(), use())


async def test_many_conversations(state):
    """More than fit into one answer are all found, and all erased."""
    await asyncio.gather(
        *(state.conversations.record(turn("a", f"c{n}", minutes=n)) for n in range(450))
    )
    found = await state.conversations.pending(idle_since=None, scope=None)
    assert [t.conversation_id for t in found] == [f"c{n}" for n in range(450)]
    await state.conversations.mark_learned("c7", 1)
    assert await state.conversations.prune(learned_before=NOON + timedelta(days=9)) == 1
    assert await state.conversations.erase(ALICE) == 449
    assert await state.conversations.pending(idle_since=None, scope=None) == []


async def test_a_user_among_many(own_redis, alone):
    """Looking for one user's turns does not look at everybody's, and finds what an agent had."""
    for number in range(50):
        scope = Scope(tenant="local", user_id=f"u{number}", agent_id=f"a{number % 2}")
        await alone.conversations.record(turn("a", f"c{number}", scope=scope))
    before = stats(own_redis, "cmdstat_evalsha")
    one = Scope(tenant="local", user_id="u7")
    [found] = await alone.conversations.pending(idle_since=None, scope=one)
    assert found.conversation_id == "c7"
    assert stats(own_redis, "cmdstat_evalsha") - before <= 2
    agents = Scope(tenant="local", agent_id="a1")
    found_ = await alone.conversations.pending(idle_since=None, scope=agents)
    assert {t.conversation_id for t in found_} == {f"c{n}" for n in range(1, 50, 2)}


def stats(server: RedisAt, name: str) -> int:
    """How often a command was called."""
    line = server.command("INFO", "commandstats").decode().split(f"{name}:calls=")[1]
    return int(line.split(",")[0])


@pytest.mark.process
async def test_no_acknowledged_turn_is_lost_by_kill(tmp_path):
    """Redis is killed again and again while turns are captured: each acknowledged one is there."""
    with RedisServer(tmp_path) as server:
        state = await open_redis_state(server.url, prefix="t:", turn_ttl_days=30)
        kept: dict[str, set[int]] = {}
        end = time.monotonic() + 1.5

        async def capture(conversation: str) -> None:
            at = 0
            while time.monotonic() < end:
                at += 1
                with contextlib.suppress(StateError):
                    recorded = await state.conversations.record(turn(f"t{at}", conversation))
                    assert recorded.seq not in kept.setdefault(conversation, set())
                    kept[conversation].add(recorded.seq)

        async def trouble() -> None:
            for _ in range(3):
                await asyncio.sleep(0.3)
                await asyncio.to_thread(server.restart)

        await asyncio.gather(*(capture(f"c{n}") for n in range(6)), trouble())
        await asyncio.to_thread(server.restart)
        assert sum(map(len, kept.values())) > 200
        found = await state.conversations.pending(idle_since=None, scope=None)
        assert {t.conversation_id for t in found} == set(kept)
        for conversation, positions in kept.items():
            there = [t.seq for t in await state.conversations.unlearned(conversation, 10**6)]
            assert set(there) >= positions
            assert there == list(range(1, len(there) + 1))
        await state.close()
