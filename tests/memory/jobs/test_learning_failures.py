"""What is said about learning that fails again and again."""

from datetime import timedelta

import pytest

from recollect.memory.jobs.learning_failures import AGAIN, LOOK_AGAIN, Failures, trouble_of
from recollect.memory.jobs.runs import Run, RunOutcome
from recollect.memory.model.errors import LearningError
from recollect.memory.model.types import Job, JobReport, JobState
from tests.memory.jobs.worker_world import World, drain
from tests.memory.learn.doubles import ALICE, NOON, Says
from tests.support.clock import Telling
from tests.support.folding import rows
from tests.support.state import InMemoryJobs

LATE = "model_timeout: no answer in time"
UNREADABLE = "model_unreadable: nothing in 16 answers could be read as facts"


def job(reason="turns", attempts=1, name="j"):
    return Job(
        id=name, scope=ALICE, conversation_id="c", upto_seq=1, reason=reason, attempts=attempts
    )


def failed(error=LATE, outcome=RunOutcome.RETRY, **of):
    return Run(job(**of), outcome, error=error)


LEARNED = Run(job(), RunOutcome.LEARNED, strategy="schema")


class Clocked(Failures):
    """With a clock that a test moves."""

    def __init__(self):
        self.now = NOON
        super().__init__(clock=Telling(lambda: self.now))

    def noted(self, *runs):
        for run in runs:
            self.note(run)
        return self


async def seen(failures, queue=None):
    """The reason word that `/readyz` shows, or "ok"."""
    try:
        await failures.check(queue or InMemoryJobs())
    except LearningError as error:
        return error.code
    return "ok"


@rows(
    "error, state",
    [
        ("model_unreachable: APIConnectionError", "model_unreachable"),
        ("model_busy: InternalServerError (HTTP 500)", "model_busy"),
        ("store_unavailable: gone", "ok"),
        ("no_model: nobody", "ok"),
        ("budget_spent: 5 of 5 tokens", "ok"),
    ],
)
async def test_waiting_for_the_model_shows_too(error, state):
    """Nobody waits in silence for a model that is down; other parts report themselves."""
    failures = Clocked().noted(*[failed(error, RunOutcome.WAITING)] * 3)
    assert await seen(failures) == state


async def test_one_warning_for_all_of_them(caplog):
    """With what to do; again after a while, and if the reason changes."""
    failures = Clocked().noted(*[failed()] * 9)
    assert [r.levelname for r in caplog.records] == ["WARNING"]
    assert "model_timeout" in caplog.text
    assert "learn.llm.timeout_seconds" in caplog.text
    failures.now += AGAIN
    failures.noted(*[failed()] * 9)
    assert len(caplog.records) == 2
    failures.noted(failed(UNREADABLE))
    assert len(caplog.records) == 3
    failures.noted(LEARNED)
    failures.noted(failed(), failed())
    assert len([r for r in caplog.records if r.levelname == "WARNING"]) == 4


async def test_what_an_earlier_process_gave_up_is_still_told():
    """Before the first success after a start, the queue is asked; a success ends that too."""
    world = World(Says("never any facts"))
    await world.turn()
    for _ in range(3):
        await drain(world.worker())
        world.wait(100)
    failures = Clocked()
    assert await seen(failures, world.jobs) == "model_unreadable"
    assert await seen(failures.noted(LEARNED), world.jobs) == "ok"


async def test_the_queue_is_not_searched_at_each_question():
    """A shared queue is large, and `/readyz` is asked every few seconds."""
    asked = []

    class Counted(InMemoryJobs):
        async def counts(self):
            asked.append(1)
            return await super().counts()

    failures, queue = Clocked(), Counted()
    for _ in range(5):
        await failures.check(queue)
    assert len(asked) == 1
    failures.now += LOOK_AGAIN
    await failures.check(queue)
    assert len(asked) == 2


def report(state, error=None, *, minutes=0, attempts=1):
    return JobReport(job(attempts=attempts), state, NOON + timedelta(minutes=minutes), error=error)


def test_what_the_queue_tells():
    """A later job that is done is proof that learning works; jobs that failed twice are none."""
    dead, done = report(JobState.DEAD, LATE, minutes=1), report(JobState.DONE, minutes=2)
    earlier = report(JobState.DONE)
    again = report(JobState.READY, LATE, attempts=2)
    assert trouble_of([], [dead], [], dead=3).dead == 3
    assert trouble_of([], [dead], [earlier], dead=1).failure == "model_timeout"
    assert trouble_of([], [dead], [done], dead=1) is None
    assert trouble_of([again], [], [], dead=0).failure == "model_timeout"
    assert trouble_of([report(JobState.READY, LATE)], [], [], dead=0) is None
    assert trouble_of([report(JobState.READY, attempts=5)], [], [], dead=0) is None


@rows("expected", [True, False])
async def test_a_rest_is_told_at_once(expected):
    """Which model is left alone since when, in the advice too: `/readyz` shows only that."""
    rest = "left alone since 2026-03-02 12:00 UTC (small, 3 tries without a readable answer)"
    failures = Failures(expected=expected)
    failures.note(failed(f"model_unreadable: {rest}", RunOutcome.WAITING))
    with pytest.raises(LearningError) as caught:
        await failures.check(InMemoryJobs())
    assert rest in caught.value.advice
    assert rest in str(caught.value)
    assert "learn.llm" in caught.value.advice


def test_the_first_success_after_failures_is_told():
    """So that what died before is tried again, once."""
    failures = Failures(expected=True)
    failures.note(failed(UNREADABLE))
    assert failures.note(LEARNED)
    assert not failures.note(LEARNED)
