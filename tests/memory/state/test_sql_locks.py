"""Locks between processes as rows of the database."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from recollect.memory.database.postgres import open_postgres
from recollect.memory.model.errors import ConflictError
from recollect.memory.state.sql_locks import SqlLocks
from tests.memory.api.changing import EVERY, FIRST, Dawdling, Process, at_once, check_chain, keep
from tests.memory.learn.doubles import ALICE
from tests.memory.state.contract import LockContract
from tests.support.budget import examples
from tests.support.parts import parts_of
from tests.support.postgres_server import empty_database
from tests.support.state import in_memory_scripts


@pytest.fixture(params=["sqlite", "postgres"])
async def scripts(request, postgres):
    if request.param == "sqlite":
        yield in_memory_scripts()
        return
    async with empty_database(postgres) as url:
        opened = await open_postgres(url)
        yield opened
        await opened.close()


class TestSqlLocks(LockContract):
    @pytest.fixture
    def locks(self, scripts):
        return SqlLocks(scripts)


async def test_waiting_ends(scripts):
    """Whoever waits for too long is told, and holds none of the locks it had taken."""
    waits = SqlLocks(scripts, wait_seconds=0.05)
    async with SqlLocks(scripts).hold("local", ["m"]):
        with pytest.raises(ConflictError):
            async with waits.hold("local", ["a", "m", "z"]):
                pass
        async with waits.hold("local", ["a", "z"]):
            pass


async def test_a_dead_process_blocks_for_a_while_only(scripts):
    """Its locks expire; if it was only asleep, it learns right before its write that it lost."""
    async with SqlLocks(scripts, held_seconds=0.05).hold("local", ["m"]) as confirm:
        async with SqlLocks(scripts).hold("local", ["m"]):
            with pytest.raises(ConflictError):
                await confirm()
        with pytest.raises(ConflictError):
            await confirm()


async def test_nobody_releases_anothers_lock(scripts):
    """A sleeper that wakes up and ends leaves the lock to whoever has it now."""
    sleeper = SqlLocks(scripts, held_seconds=0.05).hold("local", ["m"])
    await sleeper.__aenter__()
    async with SqlLocks(scripts).hold("local", ["m"]) as confirm:
        await sleeper.__aexit__(None, None, None)
        await confirm()


@pytest.mark.parametrize("seed", range(examples(2)))
async def test_two_processes_that_change_one_memory(scripts, seed):
    """Puts, and learners that decided before them, end as a chain; no text is lost."""
    dice = random.Random(seed)
    plain = parts_of()
    processes = [
        Process(
            replace(
                plain,
                store=Dawdling(plain.store, dice),
                history=Dawdling(plain.history, dice),
                state=replace(plain.state, locks=SqlLocks(scripts)),
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
