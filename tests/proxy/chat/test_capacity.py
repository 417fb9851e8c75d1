"""A machine that is too small is told from a burst, and told once in a while."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.proxy.chat.capacity import (
    BAD_SPANS,
    LOST,
    SPAN_SECONDS,
    SPANS,
    Capacity,
)
from tests.support.folding import rows


class Clock:
    now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def spend(capacity, clock, spans, *, kept, lost):
    for _ in range(spans):
        for _ in range(kept):
            capacity.kept()
        for number in range(lost):
            (capacity.busy if number % 2 else capacity.late)()
        clock.now += SPAN_SECONDS


def test_a_burst_is_no_small_machine(clock):
    """Hundreds of refusals at once, and quiet after them."""
    capacity = Capacity(clock)
    spend(capacity, clock, BAD_SPANS - 1, kept=10, lost=500)
    spend(capacity, clock, SPANS, kept=10, lost=0)
    assert not capacity.is_short
    assert capacity.warning() is None


def test_a_minute_of_losses_is(clock):
    """A tenth of the recalls is late or refused, span after span; it ends some minutes later."""
    capacity = Capacity(clock)
    spend(capacity, clock, BAD_SPANS, kept=27, lost=3)
    assert capacity.is_short
    assert capacity.counted == {"kept": 162, "busy": 6, "late": 12}
    spend(capacity, clock, SPANS, kept=1, lost=0)
    assert not capacity.is_short


@rows("kept, lost", [(100, LOST), (0, LOST - 1), (50, 0)])
def test_few_losses_are_normal(clock, kept, lost):
    """A small share, or two in ten seconds, for as long as you like."""
    capacity = Capacity(clock)
    spend(capacity, clock, 2 * SPANS, kept=kept, lost=lost)
    assert not capacity.is_short


@given(st.lists(st.tuples(st.sampled_from(["kept", "busy", "late"]), st.floats(0, 500))))
def test_every_recall_is_counted(history):
    """Since the start, however long ago."""
    clock = Clock()
    capacity = Capacity(clock)
    for what, seconds in history:
        getattr(capacity, what)()
        clock.now += seconds
    assert sum(capacity.counted.values()) == len(history)
