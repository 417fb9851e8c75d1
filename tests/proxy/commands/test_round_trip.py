"""`recollect check` stores a memory, finds it and erases it."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from recollect.config import load_settings
from recollect.proxy.commands.api_client import ask
from recollect.proxy.commands.findings import found_by
from recollect.proxy.commands.round_trip import (
    LEFT_BEHIND,
    ServedMemories,
    check_round_trip,
    is_over,
    new_mark,
    sweep,
    trouble_of,
)

from .test_explain import TEA, Running, fill
from .test_explain import folder as folder  # noqa: PLC0414 - a fixture

NOW = datetime(2026, 11, 27, tzinfo=UTC)


class Kept:
    """Memories in a dict; `finds` and `erases` are what works."""

    def __init__(self, *, finds=True, erases=True):
        self.rows = {}
        self._finds, self._erases = finds, erases

    async def add(self, text, mark):
        self.rows[text] = {"id": text, "created_at": NOW.isoformat(), "run": mark, "run_id": mark}
        return text

    async def search(self, _text, mark):
        return [row for row in self.rows.values() if row["run"] == mark and self._finds]

    async def every(self):
        return list(self.rows.values())

    async def erase(self, memory_ids):
        for one in memory_ids if self._erases else ():
            del self.rows[one]


async def checked(settings):
    return await found_by("round trip", partial(check_round_trip, running=True), settings)


async def test_it_leaves_nothing():
    """What comes back is no trouble, and its scope is empty."""
    kept = Kept()
    assert await trouble_of(kept, "m") == ""
    assert kept.rows == {}


async def test_each_failure_has_its_words():
    """Not found, though stored, and then erased all the same; found, though erased."""
    deaf = Kept(finds=False)
    assert await trouble_of(deaf, "m") == "what was stored is not found"
    assert deaf.rows == {}
    assert await trouble_of(Kept(erases=False), "m") == "what was erased is still found"


async def test_only_what_a_killed_check_left_is_swept():
    """A check that runs beside this one keeps its memory."""
    kept = Kept()
    await kept.add("left", "m")
    await sweep(kept, NOW + LEFT_BEHIND)
    assert set(kept.rows) == {"left"}
    await sweep(kept, NOW + LEFT_BEHIND + timedelta(seconds=1))
    assert kept.rows == {}


async def test_through_the_running_proxy(environ):
    """It comes back, nobody else's memory is touched, and nothing is left."""
    async with Running(environ) as proxy:
        await proxy.remember(TEA)
        settings = load_settings()
        found = await checked(settings)
        assert (found.ok, found.seen) == (True, "a memory was stored, found and erased")
        assert await ServedMemories(settings).every() == []
        hers = await asyncio.to_thread(ask, settings, "local", "/v1/memories/?user_id=alice")
        assert [one["memory"] for one in hers["results"]] == [TEA]


async def test_a_proxy_that_refuses_is_told(environ):
    """With its own words and what to do; one that cannot be asked is no fault."""
    async with Running(environ, api__token="k" * 40):
        environ.setenv("RECOLLECT_API__TOKEN", "n" * 40)
        refused = await checked(load_settings())
        environ.setenv("RECOLLECT_API__ENABLED", "false")
        found = await checked(load_settings())
    assert (refused.ok, refused.mend != "") == (False, True)
    assert "api.token" in refused.seen
    assert (found.ok, found.seen) == (True, "not tried: it needs api.enabled and api.token")


@pytest.mark.process
def test_a_run_tells_which_process_it_is():
    """One that runs is not over, nor is one of elsewhere or of no process; a dead one is."""
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    own = new_mark()
    machine, process, _ = own.split("-")
    assert process == str(os.getpid())
    assert new_mark() != own
    assert not is_over(own)
    assert is_over(f"{machine}-{dead.pid}-x")
    for other in (f"elsewhere-{dead.pid}-x", f"{machine}-x", machine, "", f"{machine}-{10**30}-x"):
        assert not is_over(other)


KILLED = """
import asyncio, os, signal
from recollect.config import load_settings
from recollect.proxy.commands import round_trip

async def die(self, text, mark):
    os.kill(os.getpid(), signal.SIGKILL)

round_trip.OpenedMemories.search = die
asyncio.run(round_trip.check_round_trip(load_settings(), running=False))
"""


def rows(folder):
    """How many rows each table of the database has; the log of changes only grows."""
    with closing(sqlite3.connect(folder)) as database:
        tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {
            table: database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 - ours
            for (table,) in tables
            if table not in {"sqlite_sequence", "changes"}
        }


@pytest.mark.process
def test_nothing_stays_of_a_check_or_of_a_killed_one(folder):
    """A check ends between storing and erasing: the next one leaves every table as it was."""
    asyncio.run(fill(folder))
    asyncio.run(check_round_trip(load_settings(), running=False))
    before = rows(folder)
    assert before["tombstones"] == 0
    assert subprocess.run([sys.executable, "-c", KILLED], check=False).returncode == -signal.SIGKILL
    assert rows(folder) != before
    seen = asyncio.run(check_round_trip(load_settings(), running=False))
    assert seen == "a memory was stored, found and erased"
    assert rows(folder) == before
