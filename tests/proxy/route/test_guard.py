"""When a call may be made: the circuit breaker, the bound, and who is to blame for an ending."""

import asyncio
import logging

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.filters import Outcome, Verdict
from recollect.memory.errors import EmbeddingError, InvalidInputError, ScopeError, StoreError
from recollect.proxy.route.admission import Admission
from recollect.proxy.route.guard import (
    ALIVE_SECONDS,
    BUSY,
    CIRCUIT_OPEN,
    MAX_PAUSE_SECONDS,
    Breaker,
    CircuitOpenError,
    Guard,
)


class Clock:
    """Seconds that pass when a test says so."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


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


def test_it_opens_after_failures_in_a_row(clock):
    """A success in between begins the count anew; open, nothing is admitted."""
    breaker = Breaker(failures=2, seconds=5, clock=clock)
    for _ in range(5):
        assert not breaker.failed(breaker.admit())
        assert not breaker.succeeded(breaker.admit())
    assert not breaker.failed(breaker.admit())
    assert breaker.failed(breaker.admit())
    assert breaker.is_open
    assert breaker.admit() is None


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


async def within(guard, call, seconds=10.0):
    """Run a call as the pipeline does; an ending by the deadline is a TimeoutError."""
    async with asyncio.timeout(seconds) as deadline:
        return await guard.run(call, deadline)


def raising(error):
    async def call():
        raise error

    return call


async def fine():
    pass


async def hang():
    await asyncio.Event().wait()


@pytest.mark.parametrize(
    "error", [StoreError("no"), EmbeddingError("no"), ZeroDivisionError(), TimeoutError()]
)
async def test_failures_open_it(clock, error):
    """Errors of parts, and those nobody thought of, count; the caller still gets them."""
    guard = Guard(Breaker(failures=2, seconds=5, clock=clock), Admission(4))
    for _ in range(2):
        with pytest.raises(type(error)):
            await within(guard, raising(error))
    assert await within(guard, fine) is CIRCUIT_OPEN
    clock.now += 5
    assert await within(guard, fine) is None
    assert await within(guard, fine) is None


async def test_a_call_that_takes_too_long_is_a_failure(clock):
    """The deadline arrives as a cancellation, and is told from one."""
    guard = Guard(Breaker(failures=1, seconds=5, clock=clock), Admission(4))
    with pytest.raises(TimeoutError):
        await within(guard, hang, 0.001)
    assert await within(guard, fine) is CIRCUIT_OPEN


async def most_at_a_time(guard):
    """How many calls it lets in beside each other."""
    started, go = 0, asyncio.Event()

    async def wait():
        nonlocal started
        started += 1
        await go.wait()

    async with asyncio.TaskGroup() as calls:
        for _ in range(20):
            calls.create_task(within(guard, wait))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        let_in = started
        go.set()
    return let_in


async def test_a_part_that_answers_others_is_slow_and_not_dead(clock):
    """Late calls open nothing while there are answers: fewer are let in, and by and by more."""
    breaker = Breaker(failures=1, seconds=5, clock=clock)
    seen = []
    guard = Guard(
        breaker,
        Admission(10),
        seconds=lambda: 0.4,
        heard=lambda took, late: seen.append((round(took.seconds, 3), late)),
        clock=clock,
    )

    async def takes(seconds):
        clock.now += seconds

    assert await within(guard, lambda: takes(0.01)) is None
    assert await most_at_a_time(guard) == 10
    for _ in range(20):
        with pytest.raises(TimeoutError):
            await within(guard, lambda: late_after(clock, 0.4), 0.001)
        await within(guard, lambda: takes(0.01))
    assert not breaker.is_open
    assert 1 <= await most_at_a_time(guard) < 10
    for _ in range(200):
        await within(guard, lambda: takes(0.01))
    assert await most_at_a_time(guard) == 10
    assert seen[0] == (0.01, False)
    assert (0.4, True) in seen


async def late_after(clock, seconds):
    clock.now += seconds
    await asyncio.Event().wait()


async def test_calls_that_are_late_together_are_one_sign(clock):
    """Eight beside each other on a slow machine do not make it dead: as many after each other do."""
    breaker = Breaker(failures=3, seconds=5, clock=clock)
    guard = Guard(breaker, Admission(8), clock=clock)
    ends = await asyncio.gather(
        *(within(guard, hang, 0.01) for _ in range(8)), return_exceptions=True
    )
    assert [type(end) for end in ends] == [TimeoutError] * 8
    assert not breaker.is_open
    for _ in range(2):
        clock.now += 0.4
        with pytest.raises(TimeoutError):
            await within(guard, hang, 0.001)
    assert breaker.is_open


async def test_a_part_that_answers_nobody_any_more_is_dead(clock):
    """Some time after its last answer a late call is a failure; one call is always let in."""
    breaker = Breaker(failures=1, seconds=5, clock=clock)
    guard = Guard(breaker, Admission(1), clock=clock)
    await within(guard, fine)
    for _ in range(4):
        clock.now += ALIVE_SECONDS / 5
        with pytest.raises(TimeoutError):
            await within(guard, hang, 0.001)
    assert not breaker.is_open
    clock.now += ALIVE_SECONDS
    with pytest.raises(TimeoutError):
        await within(guard, hang, 0.001)
    assert breaker.is_open


@pytest.mark.parametrize("error", [InvalidInputError("query", "text"), ScopeError("nobody")])
async def test_a_bad_request_says_nothing_about_the_part(clock, error):
    """It opens nothing, and as the probe it closes nothing."""
    breaker = Breaker(failures=1, seconds=5, clock=clock)
    guard = Guard(breaker, Admission(4))
    with pytest.raises(type(error)):
        await within(guard, raising(error))
    assert not breaker.is_open
    breaker.failed(breaker.admit())
    clock.now += 5
    with pytest.raises(type(error)):
        await within(guard, raising(error))
    assert breaker.is_open
    assert await within(guard, fine) is None
    assert not breaker.is_open


@pytest.mark.parametrize("probing", [False, True])
async def test_a_client_that_leaves_gives_back_what_it_had(clock, probing):
    """Its slot and the probe are free at once, and nothing is counted."""
    breaker = Breaker(failures=1, seconds=5, clock=clock)
    guard = Guard(breaker, Admission(1))
    if probing:
        breaker.failed(breaker.admit())
        clock.now += 5
    leaving = asyncio.ensure_future(within(guard, hang))
    await asyncio.sleep(0)
    assert await within(guard, fine) is BUSY
    leaving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await leaving
    assert breaker.is_open is probing
    assert await within(guard, fine) is None
    assert not breaker.is_open


async def test_no_more_than_the_bound(clock):
    """Calls beyond it are refused while the others run, and made when one has ended."""
    guard = Guard(Breaker(failures=1, seconds=5, clock=clock), Admission(2))
    leave = asyncio.Event()
    running = [asyncio.ensure_future(within(guard, leave.wait)) for _ in range(2)]
    await asyncio.sleep(0)
    assert await within(guard, fine) is BUSY
    leave.set()
    assert await asyncio.gather(*running) == [None, None]
    assert await within(guard, fine) is None


def test_what_refusals_say():
    """Both are degraded memory, with a reason a client can read."""
    assert Verdict(Outcome.DEGRADED, "busy") == BUSY
    assert Verdict(Outcome.DEGRADED, "circuit_open") == CIRCUIT_OPEN


async def test_it_is_logged_once(clock, caplog):
    """One warning when it opens, one line when it closes; neither refusals nor failed probes."""
    caplog.set_level(logging.INFO, "recollect.proxy.route.guard")
    guard = Guard(Breaker(failures=2, seconds=5, clock=clock), Admission(4))
    for _ in range(4):  # two failures, and two failed probes
        with pytest.raises(StoreError):
            await within(guard, raising(StoreError("no")))
        if guard._breaker.is_open:
            assert await within(guard, fine) is CIRCUIT_OPEN
            clock.now += MAX_PAUSE_SECONDS
    for _ in range(3):
        assert await within(guard, fine) is None
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]


async def test_readiness(clock):
    """Open, the ping fails with the code that `/readyz` shows."""
    breaker = Breaker(failures=1, seconds=5, clock=clock)
    guard = Guard(breaker, Admission(4))
    await guard.ping()
    breaker.failed(breaker.admit())
    with pytest.raises(CircuitOpenError) as caught:
        await guard.ping()
    assert caught.value.code == "circuit_open"
