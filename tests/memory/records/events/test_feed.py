"""Subscriptions."""

import asyncio
import gc
from dataclasses import replace

from recollect.memory.model.types import EventKind, HistoryRecord, Scope
from recollect.memory.records.events import ChangeTexts, Feed
from tests.memory.learn.doubles import NOON
from tests.support.state import InMemoryHistory

ADA = Scope(tenant="t", user_id="ada")


def a_feed():
    return Feed(ChangeTexts(InMemoryHistory()))


def record(number, scope=ADA):
    return HistoryRecord(
        id=str(number),
        memory_id=f"m{number}",
        event=EventKind.ADD,
        old_value=None,
        new_value="text",
        timestamp=NOON,
        is_deleted=False,
        scope=scope,
    )


async def test_a_reader_waits_for_the_next_change():
    """It sleeps until there is one, and ends when the subscription is closed."""
    feed = a_feed()
    stream = feed.subscribe(ADA)
    waiting = asyncio.ensure_future(anext(stream))
    await asyncio.sleep(0)
    assert not waiting.done()
    feed.wrote([record(1)], 0)
    assert (await waiting)["id"] == "1"
    ended = asyncio.ensure_future(anext(stream, None))
    await asyncio.sleep(0)
    stream.close()
    assert await ended is None


async def test_texts_that_wait_are_bounded():
    """However long they are: the oldest changes go, the gap is told, and the newest stays."""
    feed = a_feed()
    stream = feed.subscribe("t", most_bytes=1000)
    for number in range(9):
        feed.wrote([replace(record(number), new_value="x" * 300)], 0)
    assert stream.waiting == 3
    assert (await anext(stream))["missed"] == 6
    assert (await anext(stream))["id"] == "6"
    feed.wrote([replace(record(9), new_value="x" * 5000)], 0)
    assert (stream.waiting, (await anext(stream))["missed"]) == (1, 2)
    assert (await anext(stream))["id"] == "9"
    feed.wrote([replace(record(n), new_value="x" * 300) for n in (10, 11, 12)], 0)
    assert stream.waiting == 3


async def test_a_closed_subscription_takes_nothing_more():
    """Changes after `close` are not kept for it."""
    feed = a_feed()
    stream = feed.subscribe("t")
    feed.wrote([record(1)], 0)
    stream.close()
    feed.wrote([record(2)], 0)
    assert [change["id"] async for change in stream] == ["1"]


async def test_a_subscription_nobody_holds_ends():
    """One that was never closed takes no memory for ever."""
    feed = a_feed()
    feed.subscribe()
    gc.collect()
    assert not feed._subscribed
