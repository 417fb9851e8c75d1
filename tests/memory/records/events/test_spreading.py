"""Changes that processes tell each other."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest

from recollect.memory.database.postgres import open_postgres
from recollect.memory.database.postgres.notify import PostgresBus
from recollect.memory.database.sharing import SqlPresence
from recollect.memory.records.events import ChangeTexts, Feed
from recollect.memory.records.events.spreading import spread, spread_widely
from recollect.memory.state.replicas import BusReplicas
from tests.memory.records.events.test_feed import ADA, record
from tests.support.ports import free_port
from tests.support.postgres_server import empty_database
from tests.support.siblings import listening, meshes
from tests.support.state import InMemoryHistory
from tests.support.waiting import HANG_SECONDS


@pytest.fixture
async def replicas(postgres):
    """Two on one PostgreSQL."""
    async with AsyncExitStack() as stack:
        url = await stack.enter_async_context(empty_database(postgres))
        opened = []
        for _ in range(2):
            scripts = await open_postgres(url)
            stack.push_async_callback(scripts.close)
            opened.append(BusReplicas(PostgresBus(scripts), SqlPresence(scripts)))
        yield opened


async def test_followers_at_another_worker_hear_of_a_change(tmp_path):
    """In order, once, with its id; whoever wants those of its own process only is not told."""
    one, two = meshes(tmp_path)
    feeds = [Feed(ChangeTexts(InMemoryHistory(), shared=True)) for _ in range(2)]
    spreading = [spread(feed, mesh) for feed, mesh in zip(feeds, (one, two), strict=True)]
    following, own = feeds[1].subscribe(ADA), feeds[1].subscribe(own=True)
    elsewhere = feeds[1].subscribe("other")
    telling = asyncio.ensure_future(spreading[0].run())
    async with listening(two, one), asyncio.timeout(60):
        feeds[0].wrote([record(1), record(2)], 0)
        assert [(await anext(following))["id"] for _ in range(2)] == ["1", "2"]
    telling.cancel()
    assert (own.waiting, elsewhere.waiting, following.waiting) == (0, 0, 0)


def test_the_changes_of_ones_own_are_told_to_all(tmp_path):
    """Also where nobody follows here: somebody may elsewhere."""
    feed = Feed(ChangeTexts(InMemoryHistory()))
    assert not feed.followed
    spread(feed, meshes(tmp_path)[0])
    assert feed.followed


async def test_followers_at_all_replicas_are_told_in_one_order(replicas):
    """Also of what their own process changed; texts are those that the history has."""
    history = InMemoryHistory()
    await history.append([record(1), record(2)])
    feeds = [Feed(ChangeTexts(history, shared=True)) for _ in range(2)]
    running, following = [], [feed.subscribe(ADA) for feed in feeds]
    own = feeds[1].subscribe(ADA, own=True)
    for feed, replica in zip(feeds, replicas, strict=True):
        running += [replica.listen(), spread_widely(feed, replica).run()]
    tasks = [asyncio.ensure_future(each) for each in running]
    heard: list[list[str]] = [[], []]
    async with asyncio.timeout(HANG_SECONDS):
        await _hear_each_other(*replicas)
        feeds[1].wrote([record(2)], 0)
        feeds[0].wrote([record(1)], 0)
        for mine, subscription in zip(heard, following, strict=True):
            changes = [await anext(subscription) for _ in range(2)]
            mine += [change["id"] for change in changes]
            texts = {change["id"]: change.get("memory") for change in changes}
            assert texts == {"1": record(1).new_value, "2": record(2).new_value}
    assert sorted(heard[0]) == ["1", "2"]
    assert heard[0] == heard[1]
    assert (await anext(own))["id"] == "2"
    assert own.waiting == 0
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _hear_each_other(one: BusReplicas, two: BusReplicas) -> None:
    while not (await one.ask_all("anything") and await two.ask_all("anything")):
        await asyncio.sleep(0.01)


async def test_what_cannot_be_told_is_told_here():
    """Followers of the same process miss nothing while the server is away."""
    scripts = await open_postgres(f"postgresql://nobody@127.0.0.1:{free_port()}/none")
    away = BusReplicas(PostgresBus(scripts), SqlPresence(scripts))
    feed = Feed(ChangeTexts(InMemoryHistory(), shared=True))
    following, outbox = feed.subscribe(ADA), spread_widely(feed, away)
    telling = asyncio.ensure_future(outbox.run())
    feed.wrote([record(1)], 0)
    async with asyncio.timeout(HANG_SECONDS):
        assert (await anext(following))["id"] == "1"
    telling.cancel()
    await scripts.close()


async def test_a_gap_is_told_without_a_number():
    """Those who follow what all processes do may have missed something; others have not."""
    feed = Feed(ChangeTexts(InMemoryHistory()))
    following, own = feed.subscribe(ADA), feed.subscribe(own=True)
    feed.gap()
    change = await anext(following)
    assert change["event"] == "GAP"
    assert "missed" not in change
    assert own.waiting == 0
