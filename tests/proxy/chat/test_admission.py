"""How many calls may run at a time: as many as end in time, whatever machine it is."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.proxy.chat.admission import Admission, CallTiming

DEADLINE = 0.4
TICK = 0.002
MOST = 16


class Machine:
    """One processor that calls share, and what becomes of them; time passes in ticks.

    A call needs `seconds` of it; with `parallel`, each call has a processor of its own.
    """

    def __init__(self, admission, seconds, *, parallel=False):
        self.admission = admission
        self.seconds = seconds
        self.parallel = parallel
        self.now = 0.0
        self.running = []
        self.kept = self.late = self.busy = 0

    def arrive(self):
        stay = self.admission.enter(self.now)
        if stay is None:
            self.busy += 1
        else:
            self.running.append([stay, self.seconds])

    def tick(self):
        share = TICK if self.parallel else TICK / max(1, len(self.running))
        self.now += TICK
        for call in list(self.running):
            stay, left = call
            call[1] = left - share
            late = self.now - stay.began >= DEADLINE
            if call[1] > 0 and not late:
                continue
            self.running.remove(call)
            self.admission.learn(self.admission.took(stay, self.now), DEADLINE, late=call[1] > 0)
            self.admission.leave(self.now)
            self.kept, self.late = self.kept + (call[1] <= 0), self.late + (call[1] > 0)

    def load(self, rate, seconds):
        """So many calls a second arrive; how many are kept a second."""
        before, until, due = self.kept, self.now + seconds, self.now
        while self.now < until:
            while due <= self.now:
                self.arrive()
                due += 1 / rate
            self.tick()
        return (self.kept - before) / seconds


@pytest.mark.parametrize("seconds", [0.02, 0.05, 0.1, 0.2])
def test_twice_of_what_a_machine_can_do_is_no_cliff(seconds):
    """Of twice as many calls as it bears, a machine ends nine tenths of what it can, in time."""
    machine = Machine(Admission(MOST), seconds)
    machine.admission.start(seconds, DEADLINE)
    machine.load(2 / seconds, 5)
    machine.late = 0
    kept = machine.load(2 / seconds, 20)
    assert kept >= 0.9 / seconds
    assert machine.late <= 0.15 * kept * 20


def test_without_a_bound_all_are_late():
    """What the test above is worth: the same machine with a fixed bound ends almost nothing."""
    fixed = Admission(MOST)
    fixed.learn = lambda *_, **__: None
    machine = Machine(fixed, 0.05)
    machine.load(40, 5)
    assert machine.load(40, 20) < 0.1 * 20


def test_an_unloaded_machine_refuses_nobody():
    """Half of what it bears runs, also after a flood."""
    machine = Machine(Admission(MOST), 0.05)
    machine.load(100, 10)
    machine.load(10, 2)
    before = machine.busy
    machine.load(10, 20)
    assert machine.busy == before


def test_a_machine_that_becomes_quicker_gets_more():
    """The bound follows: a slow minute costs nothing later."""
    machine = Machine(Admission(MOST), 0.3)
    machine.load(20, 10)
    assert machine.admission.bound <= 3
    machine.seconds = 0.005
    machine.load(100, 10)
    assert machine.admission.bound >= MOST - 1


def test_a_remote_part_that_is_slow_bears_many():
    """Calls that take long without waiting for each other are not made fewer; few become more."""
    machine = Machine(Admission(MOST), 0.35, parallel=True)
    machine.load(30, 20)
    assert machine.admission.bound >= 30 * 0.35
    few = Machine(Admission(MOST), 0.35, parallel=True)
    few.admission.start(0.35, DEADLINE)
    few.load(30, 20)
    assert few.admission.bound >= 10


@pytest.mark.parametrize(
    ("alone", "bound"), [(0.0, MOST), (0.01, MOST), (0.07, 8), (0.28, 2), (60, 1)]
)
def test_the_start_begins_with_what_one_call_shows(alone, bound):
    """A slow machine begins with few at a time, so that the first calls are in time."""
    admission = Admission(MOST)
    admission.start(alone, DEADLINE)
    assert admission.bound == pytest.approx(bound, abs=1)


def test_calls_that_wait_for_something_else_are_not_made_ever_fewer():
    """Where fewer calls do not make one quicker, few late ones do not take the others' room."""
    admission = Admission(MOST)
    admission.start(0.3, DEADLINE)
    for number in range(2000):
        together = float(admission.bound)
        admission.learn(CallTiming(0.38, together), DEADLINE, late=number % 20 == 0)
    assert admission.bound >= 10


def test_how_many_run_at_a_time_is_a_mean():
    """Two calls, of which one runs twice as long: it had one and a half beside each other."""
    admission = Admission(2)
    first = admission.enter(10.0)
    second = admission.enter(10.0)
    assert admission.enter(10.0) is None
    assert admission.took(second, 11.0) == CallTiming(1.0, 2.0)
    admission.leave(11.0)
    assert admission.took(first, 12.0) == CallTiming(2.0, 1.5)
    admission.leave(12.0)
    assert admission.enter(12.0) is not None


TOOK = st.builds(CallTiming, st.floats(0, 1e4), st.floats(1, 100))


@given(st.integers(1, 50), st.lists(st.tuples(TOOK, st.floats(0.001, 60), st.booleans())))
def test_one_call_may_always_run_and_never_more_than_configured(most, history):
    """Whatever calls took, the bound stays between one and the configured number."""
    admission = Admission(most)
    for took, deadline, late in history:
        admission.learn(took, deadline, late=late)
        assert 1 <= admission.bound <= most


def test_calls_of_no_time_say_nothing():
    """A clock that stood still divides by nothing."""
    admission = Admission(4)
    for number in itertools.repeat(1.0, 3):
        stay = admission.enter(number)
        assert admission.took(stay, number) == CallTiming(0.0, 1.0)
        admission.learn(CallTiming(0.0, 1.0), DEADLINE)
        admission.leave(number)
    assert admission.bound == 4
