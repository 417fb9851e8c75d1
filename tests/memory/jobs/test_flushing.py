"""Which jobs a flush waits for, and what it says about the others."""

from datetime import timedelta

from recollect.memory.jobs.flushing import FlushProgress, can_go_on, waiting_of, worth_a_try
from recollect.memory.model.types import Job, JobReport, JobState
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


def test_what_waits_for_a_missing_part_is_worth_a_try():
    """Not what failed: a try costs. Not what another of the same user holds back: it cannot run."""
    gone = "model_unreachable: no connection"
    old = report(wait=10, error="no_model: nobody has called", name="old")
    assert worth_a_try([report(wait=10, error=gone, name="new"), old], ALICE, NOON) == ["old"]
    for code in ("state_gone", "state_unwritable"):
        assert worth_a_try([report(wait=10, error=f"{code}: it")], ALICE, NOON) == ["j"]
    assert worth_a_try([report(wait=10, error="model_timeout: late")], ALICE, NOON) == []
    assert worth_a_try([report(wait=10, error="model_busy: 429")], ALICE, NOON) == []
    assert worth_a_try([report(wait=10)], ALICE, NOON) == []
    assert worth_a_try([report(BOB, wait=10, error=gone)], ALICE, NOON) == []
    assert worth_a_try([report(), report(wait=-1, error=gone)], None, NOON) == []


def test_a_flush_that_leaves_something_is_not_done():
    """Its last report says that jobs wait, so it must not say that it is done."""
    assert FlushProgress((), {}, 1.0, last=True).done
    assert not FlushProgress((), {"running": 1}, 60.0, last=True).done
    assert not FlushProgress((), {}, 1.0, last=False).done
