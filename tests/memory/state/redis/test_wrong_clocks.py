"""Replicas whose clocks are an hour off: nothing is done twice, stolen, lost or allowed twice."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from datetime import UTC, datetime, timedelta
from typing import TypeVar

import pytest

from recollect.memory.model.errors import ConflictError
from recollect.memory.model.types import Scope
from recollect.memory.state.redis import RedisState, open_redis_state
from recollect.memory.state.redis.memory_locks import RedisLocks
from tests.memory.state.samples import job

HOUR = 3600.0
OFF = (0.0, HOUR, -HOUR)
T = TypeVar("T")
_off: ContextVar[float] = ContextVar("off", default=0.0)
_right = time.time


def _wrong() -> datetime:
    return datetime.now(UTC) + timedelta(seconds=_off.get())


class Replica:
    """A process with a clock of its own, on the state that all share."""

    def __init__(self, state: RedisState, off: float) -> None:
        self.state = state
        self._off = off

    async def does(self, work: Callable[[RedisState], Awaitable[T]]) -> T:
        """Work as a process with this clock would."""
        token = _off.set(self._off)
        try:
            return await work(self.state)
        finally:
            _off.reset(token)


@pytest.fixture
async def replicas(redis_server, prefix, monkeypatch):
    """One with the right clock, one an hour ahead, one an hour behind."""
    monkeypatch.setattr("recollect.memory.state.clock.time.time", lambda: _right() + _off.get())
    monkeypatch.setattr("recollect.memory.state.redis.jobs.utc_now", _wrong)
    states = [
        await open_redis_state(redis_server.url, prefix=prefix, turn_ttl_days=30) for _ in OFF
    ]
    yield [Replica(state, off) for state, off in zip(states, OFF, strict=True)]
    for state in states:
        await state.close()


async def test_each_job_is_done_once(replicas):
    """Whoever put it: none is claimed while another holds it, and none is left."""
    for number in range(30):
        scope = Scope(tenant="local", user_id=f"user-{number}")
        added = job(f"j{number}", scope=scope, conversation=f"c{number}")
        assert await replicas[number % 3].does(lambda state, j=added: state.jobs.put(j))
    done: list[str] = []

    async def learn(state: RedisState) -> None:
        while (held := await state.jobs.claim(now=_wrong(), lease_seconds=60)) is not None:
            await asyncio.sleep(0.002)
            assert await state.jobs.ack(held)
            done.append(held.id)

    await asyncio.gather(*(each.does(learn) for each in replicas))
    assert sorted(done) == sorted(f"j{number}" for number in range(30))


async def test_a_lock_is_stolen_by_no_clock(replicas):
    """Its end is Redis' affair: who is an hour ahead waits as everybody does."""
    async with replicas[0].state.locks.hold("local", ["m"]) as confirm:
        for each in replicas[1:]:
            locks = RedisLocks(each.state.wire, each.state.locks._keys, wait_seconds=0.05)

            async def take(_: RedisState, locks: RedisLocks = locks) -> None:
                async with locks.hold("local", ["m"]):
                    pytest.fail("held by two")

            with pytest.raises(ConflictError):
                await each.does(take)
        await confirm()


async def test_requests_are_bounded_by_the_clock_of_redis(replicas):
    """An hour ahead fills no bucket, and an hour behind empties none."""
    allowed = [
        (
            await replicas[number % 3].does(
                lambda state: state.admission.take("t", None, burst=6, per_second=0.01)
            )
        ).allowed
        for number in range(9)
    ]
    assert allowed == [True] * 6 + [False] * 3


async def test_calls_of_an_hour_are_bounded_for_all_clocks(replicas):
    """Replicas in different hours do not begin anew for each other."""

    async def call(state: RedisState) -> int | None:
        hour = _wrong().replace(minute=0, second=0, microsecond=0)
        return await state.ledger.call("t", hour, most=4)

    counts = [await replicas[number % 3].does(call) for number in range(12)]
    # A full hour may pass in between.
    assert sum(count is not None for count in counts) in (4, 8)
