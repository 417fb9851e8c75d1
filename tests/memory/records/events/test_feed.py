"""Subscriptions."""

import asyncio
import gc
from dataclasses import replace
from datetime import timedelta

from recollect.memory.database.changes import ChangeKind, ChangeLine
from recollect.memory.model.types import EventKind, HistoryRecord, Scope
from recollect.memory.records.change_texts import told_of, without_texts
from recollect.memory.records.events import ChangeTexts, Feed
from recollect.memory.records.writing import WrittenChange
from recollect.memory.state.shared_log import SharedLog
from tests.memory.learn.doubles import NOON
from tests.support.clock import Stepped
from tests.support.sharing import Silent, log_over
from tests.support.state import InMemoryHistory, in_memory_scripts

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


async def wrote(feed, *records):
    await feed.committed(WrittenChange(records=list(records)))


async def test_a_reader_waits_for_the_next_change():
    """It sleeps until there is one, and ends when the subscription is closed."""
    feed = a_feed()
    stream = feed.subscribe(ADA)
    waiting = asyncio.ensure_future(anext(stream))
    await asyncio.sleep(0)
    assert not waiting.done()
    await wrote(feed, record(1))
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
        await wrote(feed, replace(record(number), new_value="x" * 300))
    assert stream.waiting == 3
    assert (await anext(stream))["missed"] == 6
    assert (await anext(stream))["id"] == "6"
    await wrote(feed, replace(record(9), new_value="x" * 5000))
    assert (stream.waiting, (await anext(stream))["missed"]) == (1, 2)
    assert (await anext(stream))["id"] == "9"
    await wrote(feed, *(replace(record(n), new_value="x" * 300) for n in (10, 11, 12)))
    assert stream.waiting == 3


async def test_a_subscription_nobody_holds_ends():
    """One that was never closed takes no memory for ever."""
    feed = a_feed()
    feed.subscribe()
    gc.collect()
    assert not feed._subscribed


async def test_followers_of_all_processes_are_told_in_one_order():
    """What any of them wrote, once, with the texts that the history has when it is read.

    Whoever wants the changes of its own process only is told by that process.
    """
    scripts, history = in_memory_scripts(), InMemoryHistory()
    await history.append([record(1), record(2)])
    logs = [log_over(scripts) for _ in range(2)]
    feeds = [Feed(ChangeTexts(history, shared=True), log) for log in logs]
    for log in logs:
        await log.read()
    following = [feed.subscribe(ADA) for feed in feeds]
    own, elsewhere = feeds[1].subscribe(own=True), feeds[1].subscribe("other")
    for number, at in ((2, 1), (1, 0)):
        [(scope, event)] = told_of([record(number)], [])
        await logs[at].add([ChangeLine(ChangeKind.EVENTS, scope, [without_texts(event)])])
        await wrote(feeds[at], record(number))
    for log, subscription in zip(logs, following, strict=True):
        await log.read()
        subscription.close()
        told = [change async for change in subscription]
        assert [(each["id"], each["memory"]) for each in told] == [("2", "text"), ("1", "text")]
    assert (await anext(own))["id"] == "2"
    assert (own.waiting, elsewhere.waiting) == (0, 0)


async def test_what_is_never_heard_is_told_without_a_number():
    """After a process read nothing for days. Those who follow its own changes missed none."""
    clock = Stepped()
    log = SharedLog(in_memory_scripts(), Silent(), clock=clock)
    feed = Feed(ChangeTexts(InMemoryHistory()), log)
    await log.read()
    following, own = feed.subscribe(ADA), feed.subscribe(own=True)
    clock.pass_by(timedelta(days=2).total_seconds())
    await log.read()
    change = await anext(following)
    assert change["event"] == "GAP"
    assert "missed" not in change
    assert (own.waiting, following.waiting) == (0, 0)
