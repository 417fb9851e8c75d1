"""Shared counters: every write is seen by every process, also after they expired or were lost."""

from __future__ import annotations

import asyncio

from recollect.memory.state.redis import RedisState
from tests.support.redis_server import RedisServer


async def test_unknown_counters_are_zero(state: RedisState) -> None:
    """Where nobody ever wrote; asking for none is no error."""
    assert await state.versions.current(["a", "{b}"]) == (0, 0)
    assert await state.versions.current([]) == ()


async def test_each_write_counts_one(state: RedisState) -> None:
    """Who adds one to what it knew can tell that nobody else wrote in between."""
    first = await state.versions.bump("a/=u")
    assert await state.versions.bump("a/=u") == first + 1
    assert await state.versions.current(["a/=u", "a"]) == (first + 1, 0)


async def test_no_write_is_lost(state: RedisState) -> None:
    """Writes at once are all counted, each with a number of its own."""
    seen = await asyncio.gather(*(state.versions.bump("k") for _ in range(100)))
    assert len(set(seen)) == 100
    assert max(seen) - min(seen) == 99


async def test_a_lost_counter_does_not_come_back_to_a_known_number(
    redis_server: RedisServer, state: RedisState
) -> None:
    """After expiry or loss of all data, a number somebody remembers is not given again."""
    remembered = set()
    for _ in range(20):
        remembered |= {await state.versions.bump("k") for _ in range(3)}
        redis_server.command("FLUSHALL")
    assert len(remembered) == 60


async def test_counters_expire(redis_server: RedisServer, state: RedisState) -> None:
    """A user who does not come back leaves nothing; each write puts the end off."""
    await state.versions.bump("k")
    key = "test:{versions}:k"
    redis_server.command("EXPIRE", key, "100")
    await state.versions.bump("k")
    assert int(redis_server.command("TTL", key)[1:]) > 86_400


async def test_the_ledger_of_a_day_expires(redis_server: RedisServer, state: RedisState) -> None:
    """Two months after the last spending, and what marks a call as counted in minutes."""
    from datetime import date

    from recollect.memory.model.types import Spent

    await state.ledger.spend("t", date(2026, 3, 2), Spent(1, 2, 3))
    keys = sorted(redis_server.command("KEYS", "*").split(b"\r\n")[2::2])
    ends = [int(redis_server.command("TTL", key.decode())[1:]) for key in keys]
    assert sorted(0 < end <= limit for end, limit in zip(ends, (62 * 86_400, 600), strict=True))
    assert min(ends) > 0
