"""Which waiting calls go into the next run."""

import asyncio

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.embedders.call_queue import BULK_EVERY, QUESTION_TEXTS, Call, CallQueue

BULK = QUESTION_TEXTS + 1


@pytest.fixture
def queue():
    """A queue, and what puts a call of so many texts into it."""
    loop, queue = asyncio.new_event_loop(), CallQueue()

    def put(texts=1, **more):
        call = Call([f"{i}" for i in range(texts)], loop.create_future())
        for name, value in more.items():
            setattr(call, name, value)
        queue.put(call)
        return call

    yield queue, put
    loop.close()


def test_questions_go_together_in_order(queue):
    """First come first, until the next would be too much; what was put back is before them."""
    queue, put = queue
    calls = [put(), put(2), put(), put(2), put()]
    assert queue.take(5, bulk=True) == calls[:3]
    queue.put_back(calls[1:3])
    assert queue.take(5, bulk=True) == calls[1:4]
    assert queue.take(5, bulk=True) == calls[4:]
    large, small = put(4), put()
    assert queue.take(3, bulk=True) == [large]
    assert large.rest(3) == ["0", "1", "2"]
    queue.discard(small)
    queue.discard(small)
    assert queue.take(5, bulk=True) == []


def test_bulk_waits_and_never_stops(queue):
    """Questions come first; every fourth run is still bulk's, of which each call has its turn."""
    queue, put = queue
    large, small = put(1000), put(BULK)
    runs = []
    for _ in range(4 * BULK_EVERY):
        put()
        [taken] = queue.take(1, bulk=True)
        runs.append(taken)
        if taken in (large, small):
            queue.put_back([taken])
    assert [n for n, run in enumerate(runs) if run in (large, small)] == [
        BULK_EVERY * turn - 1 for turn in (1, 2, 3, 4)
    ]
    assert runs[BULK_EVERY - 1 :: BULK_EVERY] == [large, small, large, small]
    waiting = queue.take(99, bulk=False)
    assert not {large, small} & set(waiting)
    assert sorted(map(id, queue.drain())) == sorted(map(id, (large, small)))
    assert queue.drain() == []


def test_a_suspect_shares_no_run(queue):
    """Before or behind others."""
    queue, put = queue
    calls = [put(), put(alone=True), put(alone=True), put()]
    assert [queue.take(99, bulk=True) for _ in range(4)] == [[each] for each in calls]


def test_a_call_that_left_takes_nothing(queue):
    """Neither rows nor an error reach a call nobody waits for, and neither is an error."""
    one, other = queue[1](), queue[1]()
    one.answer.cancel()
    other.answer.cancel()
    assert one.add(np.zeros((1, 2), np.float32))
    other.fail(ValueError())
    assert one.left
    assert other.left


@given(st.lists(st.one_of(st.integers(1, 40), st.booleans()), max_size=60), st.integers(1, 20))
def test_nothing_is_lost_or_doubled(steps, most):
    """However calls come and runs end, every call is answered with its rows, which are its own."""
    loop = asyncio.new_event_loop()
    queue, calls = CallQueue(), []
    ends = sum(each for each in steps if not isinstance(each, bool))
    for step in [*steps, *[True] * (ends + len(steps))]:
        if not isinstance(step, bool):
            texts = [f"{100 * len(calls) + n}" for n in range(step)]
            calls.append(Call(texts, loop.create_future()))
            queue.put(calls[-1])
            continue
        taken = queue.take(most, bulk=True)
        given = [np.array([[float(text)] for text in each.rest(most)]) for each in taken]
        queue.put_back([each for each, row in zip(taken, given, strict=True) if not each.add(row)])
    for call in calls:
        assert call.answer.result()[:, 0].tolist() == [float(text) for text in call.texts]
    loop.close()
