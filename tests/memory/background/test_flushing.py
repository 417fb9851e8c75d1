"""Which jobs a flush waits for, and what it says about the others."""

from datetime import timedelta

from recollect.memory.background.flushing import can_go_on, waiting_of
from recollect.memory.types import Job, JobReport, JobState
from tests.memory.learn.doubles import ALICE, BOB, NOON


def report(scope=ALICE, state=JobState.READY, *, wait=0, error=None, name="j"):
    job = Job(id=name, scope=scope, conversation_id="c", upto_seq=1, reason="turns")
    not_before = NOON + timedelta(seconds=wait) if wait else None
    return JobReport(job, state, NOON, not_before, error)


def test_what_jobs_wait_for():
    """Running, in the queue, or the reason word of the last failure; other scopes' do not count."""
    late = "model_timeout: no answer in time"
    jobs = [
        report(state=JobState.LEASED),
        report(),
        report(wait=10, error=late),
        report(wait=-10, error=late),
        report(wait=10),
        report(BOB),
    ]
    said = {"running": 1, "queued": 2, "model_timeout": 1, "later": 1}
    assert waiting_of(jobs, ALICE, NOON) == said
    assert sum(waiting_of(jobs, None, NOON).values()) == 6


def test_a_job_that_rests_holds_back_its_users_later_ones():
    """Waiting does not help: one user's jobs run in order. Newest first, as the queue lists them."""
    assert can_go_on([report()], ALICE, NOON)
    assert not can_go_on([report(name="new"), report(wait=10, name="old")], ALICE, NOON)
    assert can_go_on([report(wait=10, name="new"), report(name="old")], ALICE, NOON)
    running = report(state=JobState.LEASED)
    assert can_go_on([report(name="new"), report(wait=10, name="old"), running], ALICE, NOON)


def test_only_the_scopes_jobs_are_waited_for():
    """What others have to learn keeps nobody waiting."""
    assert not can_go_on([], ALICE, NOON)
    assert not can_go_on([report(BOB)], ALICE, NOON)
    assert can_go_on([report(BOB)], None, NOON)
