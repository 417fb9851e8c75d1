"""What is known of a model, and what that lets a job do."""

from datetime import timedelta

from recollect.memory.jobs.model_trust import (
    ASKED_FOR,
    MAX_TRIES,
    WORKED,
    ModelTrust,
    begun,
    down,
    dump,
    failed,
    load,
    released,
)
from tests.memory.learn.doubles import NOON

WAIT = timedelta(seconds=10)
HOUR = timedelta(hours=1)


def tried(times, *, start=None, jobs="abcdefgh"):
    """A model that failed so many times, each time at the job of the next letter."""
    trust = start or ModelTrust()
    for number in range(times):
        trust = begun(trust, jobs[number], NOON, WAIT)
        trust = failed(trust, jobs[number], "model_unreadable", NOON, counted=True)
    return trust


def test_a_try_that_never_ends_has_failed():
    """A process that dies in its third try leaves a model that rests."""
    trust = begun(tried(MAX_TRIES - 1), "z", NOON, WAIT)
    assert trust.open
    assert trust.closed_until(NOON) == NOON + HOUR


def test_one_job_alone_does_not_make_a_proven_model_rest():
    """Its second failure is no news; that of another job is."""
    first = failed(WORKED, "a", "model_unreadable", NOON, counted=False)
    assert not first.trusted
    again = failed(begun(first, "a", NOON, WAIT), "a", "model_unreadable", NOON, counted=True)
    assert again.tries == first.tries == 1
    assert tried(2, start=first, jobs="bc").rests


def test_a_server_that_is_down_is_no_try():
    """It waits for as long as the job would, and nobody asks before."""
    trust = down(begun(ModelTrust(), "a", NOON, WAIT), "model_busy", NOON, WAIT, counted=True)
    assert (trust.tries, trust.outages) == (0, 1)
    assert trust.closed_until(NOON) == NOON + WAIT
    assert not trust.trusted
    assert down(WORKED, "model_busy", NOON, WAIT, counted=False).proven


def test_a_try_that_is_asked_for():
    """At once if the server was down, once in a while if the model rests."""
    broken = down(WORKED, "model_busy", NOON, WAIT, counted=False)
    assert released(broken, NOON).closed_until(NOON) is None
    resting = tried(MAX_TRIES)
    assert released(resting, NOON) == resting
    assert released(resting, NOON + ASKED_FOR).closed_until(NOON) is None


def test_it_is_kept_as_text():
    """Of a text of another version, or a damaged one, as much is read as is understood."""
    trust = begun(tried(MAX_TRIES), "z", NOON, WAIT)
    assert load(dump(trust)) == trust
    assert load(None) == load("{") == ModelTrust()
    assert load('{"proven": true, "later": 1}') == WORKED
