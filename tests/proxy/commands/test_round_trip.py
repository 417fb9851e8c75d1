"""`recollect check` stores a memory, finds it and erases it."""

import asyncio
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from recollect.config import load_settings
from recollect.memory.model.scope import CHECK_USER
from recollect.proxy.commands.api_client import ask
from recollect.proxy.commands.findings import found_by
from recollect.proxy.commands.round_trip import (
    LEFT_BEHIND,
    check_round_trip,
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

    async def __call__(self, word, messages="", memory_id="", run_id=None, **_):
        if word == "add":
            self.rows[messages] = {"id": messages, "created_at": NOW.isoformat(), "run": run_id}
            return {"results": [{"id": messages}]}
        if word == "forget":
            return self._erases and self.rows.pop(memory_id)
        finds = self._finds or word == "get_all"
        return {"results": [row for row in self.rows.values() if finds]}


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
    await kept("add", "left")
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
        path = f"/v1/memories/?user_id={CHECK_USER}"
        assert (await asyncio.to_thread(ask, settings, "local", path))["results"] == []
        hers = await asyncio.to_thread(ask, settings, "local", "/v1/memories/?user_id=alice")
        assert [one["memory"] for one in hers["results"]] == [TEA]


KILLED = """
import asyncio, os, signal
from recollect.config import load_settings
from recollect.proxy.commands import round_trip

called = round_trip._called

async def die(memory, word, **values):
    if word == "search":
        os.kill(os.getpid(), signal.SIGKILL)
    return await called(memory, word, **values)

round_trip._called = die
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
def test_nothing_stays_of_a_check_or_of_a_killed_one(folder, monkeypatch):
    """A check ends between storing and erasing: a later one leaves every table as it was."""
    asyncio.run(fill(folder))
    asyncio.run(check_round_trip(load_settings(), running=False))
    before = rows(folder)
    assert before["tombstones"] == 0
    assert subprocess.run([sys.executable, "-c", KILLED], check=False).returncode == -signal.SIGKILL
    assert rows(folder) != before
    monkeypatch.setattr("recollect.proxy.commands.round_trip.LEFT_BEHIND", timedelta())
    seen = asyncio.run(check_round_trip(load_settings(), running=False))
    assert seen == "a memory was stored, found and erased"
    assert rows(folder) == before
