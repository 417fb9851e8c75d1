"""Calls of clients that block."""

import asyncio
import contextlib
import threading

import pytest

from recollect.memory.index.blocking import CallingThread
from recollect.memory.model.errors import StoreError
from tests.support.waiting import HANG_SECONDS


def calling(seconds=60.0):
    return CallingThread("Somewhere", errors=(ValueError,), seconds=seconds, at_once=1)


async def test_errors_are_those_of_a_store():
    """In one line, with what failed; what nobody expects stays what it is."""

    def fail():
        raise ValueError("line one\nline two")

    with pytest.raises(StoreError, match=r"^Somewhere: put failed: line one line two$"):
        await calling().call("put", fail)
    with pytest.raises(ZeroDivisionError):
        await calling().call("put", lambda: 1 / 0)


@pytest.mark.parametrize("how", ["cancelled", "too late"])
async def test_a_call_that_nobody_waits_for_keeps_its_turn(how):
    """The client of a folder takes one at a time, also after a request was given up."""
    calls, go, ran = calling(0.05 if how == "too late" else 60), threading.Event(), []
    first = asyncio.ensure_future(calls.call("search", lambda: (go.wait(), ran.append("first"))))
    await asyncio.sleep(0.01)
    if how == "cancelled":
        first.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await first
    else:
        with pytest.raises(StoreError, match="TimeoutError"):
            await first
        calls._seconds = HANG_SECONDS
    second = asyncio.ensure_future(calls.call("search", lambda: ran.append("second")))
    await asyncio.sleep(0.01)
    assert ran == []
    go.set()
    await second
    assert ran == ["first", "second"]
