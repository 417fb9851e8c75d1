import asyncio

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.embedders.call_queue import BULK_EVERY, QUESTION_TEXTS, Call, CallQueue


@pytest.fixture
def loop():
    """A loop that never runs: futures want one."""
    loop = asyncio.new_event_loop()
    yield loop
    loop.close()


@pytest.fixture
def call(loop):
    """Makes a call of so many texts."""
    return lambda texts=1: Call([f"{i}" for i in range(texts)], loop.create_future())


BULK = QUESTION_TEXTS + 1


def test_questions_go_together_in_order(call):
    """What waits goes into one run, first come first, until the next call would be too much."""
    queue = CallQueue()
    calls = [call(), call(2), call(), call(2), call()]
    for each in calls:
        queue.put(each)
    assert queue.take(5, bulk=True) == calls[:3]
    assert queue.take(5, bulk=True) == calls[3:]
    assert queue.take(5, bulk=True) == []


def test_a_question_of_more_texts_than_fit(call):
    """It is taken all the same, alone, and run piece by piece."""
    queue = CallQueue()
    large, small = call(4), call()
    queue.put(large)
    queue.put(small)
    assert queue.take(3, bulk=True) == [large]
    assert large.rest(3) == ["0", "1", "2"]


def test_questions_before_bulk(call):
    """Bulk that came first runs when no question waits."""
    queue = CallQueue()
    bulk, question = call(BULK), call()
    queue.put(bulk)
    queue.put(question)
    assert queue.take(99, bulk=True) == [question]
    assert queue.take(99, bulk=False) == []
    assert queue.take(99, bulk=True) == [bulk]


def test_bulk_never_stops(call):
    """With questions always there, every fourth run is still bulk's."""
    queue = CallQueue()
    bulk = call(BULK)
    queue.put(bulk)
    runs = []
    for _ in range(3 * BULK_EVERY):
        queue.put(call())
        taken = queue.take(1, bulk=True)
        runs.append(taken == [bulk])
        if taken == [bulk]:
            queue.put_back(taken)
    assert sum(runs) == 3
    assert runs[BULK_EVERY - 1]


def test_bulk_takes_turns(call):
    """A small bulk call is not behind all of a large one."""
    queue = CallQueue()
    large, small = call(1000), call(BULK)
    queue.put(large)
    queue.put(small)
    assert queue.take(32, bulk=True) == [large]
    queue.put_back([large])
    assert queue.take(32, bulk=True) == [small]


def test_questions_put_back_are_first(call):
    """What was not reached in a run is before what came later, in its old order."""
    queue = CallQueue()
    first, second, third = call(), call(), call()
    queue.put(third)
    queue.put_back([first, second])
    assert queue.take(99, bulk=True) == [first, second, third]


def test_alone(call):
    """A call that is suspected shares no run, before or behind others."""
    queue = CallQueue()
    calls = [call() for _ in range(4)]
    calls[1].alone = calls[2].alone = True
    for each in calls:
        queue.put(each)
    runs = [queue.take(99, bulk=True) for _ in range(4)]
    assert runs == [[each] for each in calls]


def test_discard_and_drain(call):
    """What left is not taken, and draining leaves nothing."""
    queue = CallQueue()
    calls = [call(), call(BULK), call()]
    for each in calls:
        queue.put(each)
    queue.discard(calls[0])
    queue.discard(calls[0])
    assert queue.drain() == [calls[2], calls[1]]
    assert queue.drain() == []


def test_a_call_is_answered_when_its_last_row_came(call):
    """Rows in pieces become one array, which is the caller's own."""
    one = call(3)
    rows = np.arange(6, dtype=np.float32).reshape(3, 2)
    assert not one.add(rows[:2])
    assert one.rest(9) == ["2"]
    assert one.add(rows[2:])
    assert np.array_equal(one.answer.result(), rows)
    assert not np.shares_memory(one.answer.result(), rows)


def test_a_call_that_left_takes_nothing(call):
    """Neither rows nor an error reach a call nobody waits for, and neither is an error."""
    one, other = call(), call()
    one.answer.cancel()
    other.answer.cancel()
    assert one.add(np.zeros((1, 2), np.float32))
    other.fail(ValueError())
    assert one.left
    assert other.left


@given(st.lists(st.one_of(st.integers(1, 40), st.booleans()), max_size=60), st.integers(1, 20))
def test_nothing_is_lost_or_doubled(steps, most):
    """However calls come and runs end, every call is answered with as many rows as it has texts."""
    loop = asyncio.new_event_loop()
    queue, calls = CallQueue(), []
    for step in [*steps, *[True] * 2000]:
        if not isinstance(step, bool):
            calls.append(Call(["x"] * step, loop.create_future()))
            queue.put(calls[-1])
            continue
        taken = queue.take(most, bulk=True)
        queue.put_back(
            [each for each in taken if not each.add(np.zeros((len(each.rest(most)), 1)))]
        )
    assert [len(each.answer.result()) for each in calls] == [len(each.texts) for each in calls]
    loop.close()
