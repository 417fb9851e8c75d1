"""The deadline that follows the machine: never above 400 ms, and that until enough was seen."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.proxy.chat.deadline import ENOUGH, KEPT, LEAST_SECONDS, MOST_SECONDS, AutoDeadline


def after(*seconds, together=1.0):
    deadline = AutoDeadline()
    for each in seconds:
        deadline.note(each, together)
    return deadline


def test_the_first_recalls_have_the_longest():
    """After a start nothing is known: however quick the first ones are, all get 400 ms."""
    assert AutoDeadline().seconds == MOST_SECONDS == 0.4
    assert after(*[0.01] * (ENOUGH - 1)).seconds == MOST_SECONDS


@pytest.mark.parametrize(
    ("seconds", "deadline"),
    [(0.002, 0.15), (0.02, 0.15), (0.06, 0.24), (0.11, 0.4), (0.39, 0.4)],
)
def test_it_follows_the_machine(seconds, deadline):
    """A quick machine has 150 ms, a slow one more, and nobody waits for longer than 400."""
    assert after(*[seconds] * ENOUGH).seconds == pytest.approx(deadline)


def test_the_load_does_not_make_it_longer():
    """Recalls that waited for others show a queue: a later deadline would make it longer."""
    deadline = after(*[0.02] * KEPT)
    for _ in range(KEPT):
        deadline.note(0.14, together=8.0)
        deadline.note(0.15, together=16.0, late=True)
    assert deadline.seconds == LEAST_SECONDS


def test_late_recalls_raise_it():
    """Those that were cut off are no missing observations: a tenth of them is enough."""
    deadline = after(*[0.02] * KEPT)
    assert deadline.seconds == LEAST_SECONDS
    for _ in range(math.ceil(KEPT / 10)):
        deadline.note(LEAST_SECONDS, 1.0, late=True)
    assert deadline.seconds == MOST_SECONDS


def test_few_outliers_change_nothing_and_old_ones_are_forgotten():
    """One cold start in twenty costs nobody anything; a slow minute is over when it is over."""
    deadline = after(*([0.02] * 19 + [0.3]) * 4)
    assert deadline.seconds == LEAST_SECONDS
    slow = after(*[0.3] * KEPT)
    for _ in range(KEPT):
        slow.note(0.02, 1.0)
    assert slow.seconds == LEAST_SECONDS


@given(st.lists(st.tuples(st.floats(0, 1e6), st.floats(0, 100), st.booleans())))
def test_it_is_always_within_its_bounds(history):
    """Between 150 and 400 ms, whatever was seen."""
    deadline = AutoDeadline()
    for seconds, together, late in history:
        deadline.note(seconds, together, late=late)
        assert LEAST_SECONDS <= deadline.seconds <= MOST_SECONDS
