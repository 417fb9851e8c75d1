"""Locks between processes, on a real server."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from recollect.memory.model.errors import ConflictError
from recollect.memory.state.redis import RedisState
from recollect.memory.state.redis.memory_locks import RedisLocks
from tests.memory.api.changing import EVERY, FIRST, Dawdling, Process, at_once, check_chain, keep
from tests.memory.learn.doubles import ALICE
from tests.memory.state.contract import LockContract
from tests.support.budget import examples
from tests.support.parts import parts_of


def of(state: RedisState, **seconds: float) -> RedisLocks:
    """The locks of another process on the same server."""
    return RedisLocks(state.wire, state.locks._keys, **seconds)


class TestRedisLocks(LockContract):
    @pytest.fixture
    def locks(self, state):
        return state.locks


async def test_waiting_ends(state):
    """Whoever waits for too long is told, and holds none of the locks it had taken."""
    waits = of(state, wait_seconds=0.05)
    async with of(state).hold("local", ["m"]):
        with pytest.raises(ConflictError):
            async with waits.hold("local", ["a", "m"]):
                pass
        async with of(state).hold("local", ["a"]):
            pass


async def test_a_dead_process_blocks_for_a_while_only(state):
    """Its locks expire; if it was only asleep, it learns right before its write that it lost."""
    async with of(state, held_seconds=0.05).hold("local", ["m"]) as confirm:
        async with of(state).hold("local", ["m"]):
            with pytest.raises(ConflictError):
                await confirm()
        with pytest.raises(ConflictError):
            await confirm()


async def test_nobody_releases_anothers_lock(state):
    """A sleeper that wakes up and ends leaves the lock to whoever has it now."""
    sleeper = of(state, held_seconds=0.05).hold("local", ["m"])
    await sleeper.__aenter__()
    async with of(state).hold("local", ["m"]) as confirm:
        await sleeper.__aexit__(None, None, None)
        await confirm()


@pytest.mark.parametrize("seed", range(examples(2)))
async def test_two_processes_that_change_one_memory(state, seed):
    """Puts, and learners that decided before them, end as a chain; no text is lost."""
    dice = random.Random(seed)
    plain = parts_of()
    processes = [
        Process(
            replace(
                plain,
                store=Dawdling(plain.store, dice),
                history=Dawdling(plain.history, dice),
                state=replace(state, locks=of(state)),
            ),
            name,
        )
        for name in ("a", "b")
    ]
    await keep(plain)
    said = await at_once(
        *(one.put(number) for number in range(3) for one in processes),
        *(one.learn() for one in processes),
    )
    chain = await check_chain(plain)
    rows = await plain.store.list(ALICE, limit=None, statuses=EVERY)
    assert sorted(row.text for row in rows) == sorted([FIRST, *said])
    assert len(chain) >= 7
