"""`recollect check` stores a memory, finds it and erases it."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from recollect.config import load_settings
from recollect.proxy.commands.api_client import ask
from recollect.proxy.commands.round_trip import (
    LEFT_BEHIND,
    ServedMemories,
    check_round_trip,
    sweep,
    trouble_of,
)
from tests.support.ports import free_port

from .test_explain import TEA, Running, fill
from .test_explain import folder as folder  # noqa: PLC0414 - a fixture

NOW = datetime(2026, 11, 27, tzinfo=UTC)


class Kept:
    """Memories in a dict; `finds` and `erases` are what works."""

    def __init__(self, *, finds=True, erases=True):
        self.rows = {}
        self._finds, self._erases = finds, erases

    async def add(self, text, mark):
        self.rows[text] = {"id": text, "created_at": NOW.isoformat(), "run": mark}
        return text

    async def search(self, _text, mark):
        return [row for row in self.rows.values() if row["run"] == mark and self._finds]

    async def every(self):
        return list(self.rows.values())

    async def erase(self, memory_ids):
        for one in memory_ids if self._erases else ():
            del self.rows[one]


async def checked(settings):
    return await check_round_trip(settings, running=True)


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
def test_through_the_files(folder):
    """Without a proxy the store is opened; before the first start there is nothing to try."""

    async def alone(**environ):
        settings = load_settings(environ=environ) if environ else load_settings()
        return await check_round_trip(settings, running=False)

    asyncio.run(fill(folder))
    assert asyncio.run(alone()).seen == "a memory was stored, found and erased"
    port = str(free_port())
    nowhere = {"RECOLLECT_DATA_DIR": str(folder / "none"), "RECOLLECT_LISTEN__PORT": port}
    found = asyncio.run(alone(**nowhere))
    assert found.ok
    assert found.seen.startswith("not tried: there are no memories yet")
