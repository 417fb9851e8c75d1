"""The queue among several processes, dead workers and restarts."""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest

from recollect.memory.model.errors import StateError
from recollect.memory.model.types import Job, JobState, Scope, utc_now
from recollect.memory.state.redis import RedisState, open_redis_state
from tests.memory.state.samples import ALICE, NOON, job
from tests.support.redis_server import RedisServer
from tests.support.waiting import until


async def claimed(state: RedisState, seconds: float = 0) -> Job:
    found = await state.jobs.claim(now=NOON + timedelta(seconds=seconds), lease_seconds=60)
    assert found is not None
    return found


def ttl_ms(server: RedisServer, key: str) -> int:
    return int(server.command("PTTL", key)[1:].strip())


async def test_no_two_workers_share_a_user(state, other):
    """Eight workers in two processes: each job runs once, a user's one at a time and in order."""
    chance = random.Random(7)
    jobs = [
        job(f"{user}-{number}", scope=Scope(tenant="t", user_id=f"u{user}"))
        for number in range(12)
        for user in range(5)
    ]
    for one in jobs:
        await state.jobs.put(one)
    running: Counter[str] = Counter()
    done: list[str] = []

    async def work(queue: RedisState) -> None:
        while len(done) < len(jobs):
            held = await queue.jobs.claim(now=utc_now(), lease_seconds=600)
            if held is None:
                await asyncio.sleep(0.002)
                continue
            running[held.scope.partition] += 1
            assert running[held.scope.partition] == 1
            await asyncio.sleep(chance.random() / 200)
            running[held.scope.partition] -= 1
            done.append(held.id)
            assert await queue.jobs.ack(held)

    await asyncio.gather(*(work(queue) for queue in [state, other] * 4))
    assert sorted(done) == sorted(one.id for one in jobs)
    for user in range(5):
        mine = [name for name in done if name.startswith(f"{user}-")]
        assert mine == [f"{user}-{number}" for number in range(12)]
    assert await state.jobs.claim(now=utc_now(), lease_seconds=60) is None


async def test_workers_that_are_gone_are_forgotten(redis_server, state, prefix, other, monkeypatch):
    """Those that hold something stay, as do those that were there a moment ago."""
    monkeypatch.setattr("recollect.memory.state.redis.jobs._IDLE_MS", 20)
    assert await state.jobs.tidy() == 0
    for one, queue in (("j1", state), ("j2", other)):
        await state.jobs.put(job(one, scope=replace(ALICE, user_id=one)))
        held = await claimed(queue)
    await other.jobs.ack(held)
    await asyncio.sleep(0.05)
    assert await state.jobs.tidy() == 1
    assert await state.jobs.ack(await claimed(state, 61))


async def test_a_done_job_expires_and_nothing_else_does(redis_server, state, prefix):
    """It is known for a day; open and dead jobs have no end."""
    for name in ("done", "dead", "ready"):
        await state.jobs.put(job(name))
    await state.jobs.ack(await claimed(state))
    await state.jobs.dead_letter(await claimed(state), error="no", raw="said")
    assert 0 < ttl_ms(redis_server, f"{prefix}{{jobs}}:done:done") <= 86_400_000
    for name in ("rows", "stream", "line", "parts", "raw", "all", "meta"):
        assert ttl_ms(redis_server, f"{prefix}{{jobs}}:{name}") == -1


async def test_an_expired_job_is_no_longer_counted(redis_server, state, prefix, monkeypatch):
    """Neither counted nor reported nor refused, and its traces go with the next that is done."""
    monkeypatch.setattr(state.jobs, "_ttl_ms", 30)
    await state.jobs.put(job("old"))
    await state.jobs.ack(await claimed(state))
    await asyncio.sleep(0.06)
    assert (await state.jobs.counts())["done"] == 0
    assert await state.jobs.reports() == []
    await state.jobs.put(job("new"))
    await state.jobs.ack(await claimed(state))
    assert [report.job.id for report in await state.jobs.reports()] == ["new"]
    assert redis_server.command("ZCARD", f"{prefix}{{jobs}}:all") == b":1\r\n"
    assert await state.jobs.put(job("old"))


@pytest.mark.process
async def test_nothing_of_the_queue_is_lost_by_kill(tmp_path):
    """After kill -9 all jobs are in their states, leases hold, and ended ones stay ended."""
    with RedisServer(tmp_path) as server:
        state = await open_redis_state(server.url, prefix="t:", turn_ttl_days=30)
        for name in ("done", "dead", "rests", "held", "ready"):
            await state.jobs.put(job(name, scope=Scope(tenant="t", user_id=name)))
        await state.jobs.ack(await claimed(state))
        await state.jobs.dead_letter(await claimed(state), error="no", raw="said", after_seq=4)
        await state.jobs.retry(await claimed(state), at=NOON + timedelta(hours=1), error="no")
        held = await claimed(state)
        await state.jobs.save_checkpoint(held, "decisions")
        before = await state.jobs.reports()
        server.restart()
        assert await state.jobs.reports() == before
        assert await state.jobs.counts() == {"ready": 2, "leased": 1, "done": 1, "dead": 1}
        assert (await claimed(state)).id == "ready"
        assert await state.jobs.claim(now=NOON, lease_seconds=60) is None
        assert not await state.jobs.put(job("done"))
        taken = await claimed(state, 61)
        assert (taken.id, taken.checkpoint, taken.attempts) == ("held", "decisions", 2)
        assert not await state.jobs.ack(held)
        assert await state.jobs.revive("dead")
        again = {report.job.id: report.state for report in await state.jobs.reports()}
        assert again["dead"] is JobState.READY
        await state.close()


@pytest.mark.process
async def test_kills_while_workers_work(tmp_path):
    """Redis dies again and again under load: what was acknowledged stays, each job ends once."""
    with RedisServer(tmp_path) as server:
        state = await open_redis_state(server.url, prefix="t:", turn_ttl_days=30)
        accepted: set[str] = set()
        acked: list[str] = []
        over = False

        async def feed() -> None:
            number = 0
            while not over:
                number += 1
                name = f"j{number}"
                with contextlib.suppress(StateError):
                    await state.jobs.put(
                        job(name, scope=Scope(tenant="t", user_id=str(number % 5)))
                    )
                    accepted.add(name)
                await asyncio.sleep(0.001)

        async def work() -> None:
            while not over or await state.jobs.depth():
                with contextlib.suppress(StateError):
                    held = await state.jobs.claim(now=utc_now(), lease_seconds=0.5)
                    if held is not None and await state.jobs.ack(held):
                        acked.append(held.id)
                await asyncio.sleep(0.001)

        async def trouble() -> None:
            nonlocal over
            try:
                for part in range(3):
                    # Each life of the server sees some work, however slow the machine is.
                    await until(lambda part=part: len(acked) >= 30 * (part + 1))
                    await asyncio.to_thread(server.restart)
            finally:
                over = True

        await asyncio.gather(feed(), work(), work(), trouble())
        assert len(acked) == len(set(acked))
        assert accepted - {r.job.id for r in await state.jobs.reports(limit=10**6)} == set()
        counts = await state.jobs.counts()
        assert (counts["ready"], counts["leased"], counts["dead"]) == (0, 0, 0)
        await state.close()
