"""When a call may be made after failures."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.util.breaker import MAX_PAUSE_SECONDS, Breaker
from tests.support.clock import Clock


@pytest.fixture
def clock():
    return Clock()


def opened(clock, failures=3, seconds=5.0):
    """A breaker that has just opened."""
    breaker = Breaker(failures=failures, seconds=seconds, clock=clock)
    results = [breaker.failed(breaker.admit()) for _ in range(failures)]
    assert results == [False] * (failures - 1) + [True]
    return breaker


def pause_of(breaker, clock):
    """Seconds until the next call may be made, to a quarter."""
    started = clock.now
    while (term := breaker.admit()) is None:
        clock.now += 0.25
    return clock.now - started, term


def test_one_probe_closes_it(clock):
    """After the pause one call is admitted; its success admits all, and the pause is short again."""
    breaker = opened(clock)
    assert breaker.failed(pause_of(breaker, clock)[1]) is False
    waited, probe = pause_of(breaker, clock)
    assert waited == 10
    assert breaker.admit() is None
    assert breaker.succeeded(probe)
    assert not breaker.is_open
    terms = [breaker.admit() for _ in range(3)]
    assert None not in terms
    assert [breaker.failed(term) for term in terms] == [False, False, True]
    assert pause_of(breaker, clock)[0] == 5


@pytest.mark.parametrize(
    ("seconds", "pauses"), [(5, [5, 10, 20, 30, 30]), (20, [20, 30, 30]), (40, [40, 40])]
)
def test_the_pause_doubles_up_to_the_longest(clock, seconds, pauses):
    """A part that stays dead is asked ever less, and never less than every half minute."""
    breaker = opened(clock, seconds=seconds)
    for expected in pauses:
        waited, probe = pause_of(breaker, clock)
        assert waited == expected
        assert not breaker.failed(probe)


def test_an_abandoned_probe_lets_the_next_one_through(clock):
    """A client that leaves neither closes the breaker nor keeps it from being closed."""
    breaker = opened(clock)
    breaker.abandoned(pause_of(breaker, clock)[1])
    assert breaker.is_open
    assert breaker.succeeded(breaker.admit())


def test_calls_from_before_say_nothing_about_now(clock):
    """What began before it opened can neither close it, nor prolong it, nor free the probe."""
    breaker = Breaker(failures=1, seconds=5, clock=clock)
    early = [breaker.admit() for _ in range(5)]
    assert breaker.failed(early.pop())
    assert not breaker.succeeded(early.pop())
    assert not breaker.failed(early.pop())
    waited, probe = pause_of(breaker, clock)
    assert waited == 5
    breaker.abandoned(early.pop())
    assert breaker.admit() is None
    assert breaker.succeeded(probe)
    assert not breaker.failed(early.pop())
    assert not breaker.is_open


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("admit"), st.just(0)),
        st.tuples(st.sampled_from(["succeeded", "failed", "abandoned"]), st.integers(0, 9)),
        st.tuples(st.just("wait"), st.sampled_from([0.1, 1.0, 5.0, 70.0])),
    ),
    min_size=10,
    max_size=80,
)


@given(STEPS, st.integers(1, 4), st.sampled_from([0.5, 5.0, 60.0]))
def test_any_history(steps, failures, seconds):
    """Open, never two probes at a time nor one too early; and quiet always ends in an admission."""
    clock = Clock()
    breaker = Breaker(failures=failures, seconds=seconds, clock=clock)
    out = []
    refused_until = 0.0
    for step, value in steps:
        was_open = breaker.is_open
        if step == "wait":
            clock.now += value
        elif step == "admit":
            if (term := breaker.admit()) is not None:
                assert clock.now >= refused_until
                out.append((term, was_open))
            else:
                assert was_open
        elif out:
            getattr(breaker, step)(out.pop(value % len(out))[0])
            if breaker.is_open and not was_open:
                refused_until = clock.now + seconds
        assert sum(is_probe for _, is_probe in out) <= 1
    for term, _ in out:
        breaker.failed(term)
    clock.now += max(seconds, MAX_PAUSE_SECONDS)
    assert breaker.admit() is not None


def test_the_wait_is_told(clock):
    """Seconds until a call may be made; nothing once it may, or while one tries."""
    breaker = opened(clock)
    clock.now += 2
    assert breaker.wait == 3
    clock.now += 3
    assert breaker.wait == 0
    assert breaker.succeeded(breaker.admit())
    assert breaker.wait == 0
