"""How long a job is tried before it is given up."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.jobs.patience import POLL_SECONDS, delay
from recollect.memory.learn import LearnOptions
from recollect.memory.llms import OpenAIChatOptions
from recollect.memory.llms.openai import longest_call
from tests.support.constants import made

HOUR = 3600


def longest_life(options):
    """Seconds after which a job that always fails is dead, counted from its first claim.

    Each try takes all of its time, its worker dies at the end of it, and the queue is looked at as
    late as possible. Times in which a part was down are not included.
    """
    one_try = options.job_seconds + options.lease_seconds + POLL_SECONDS
    waits = sum(delay(options, tries) for tries in range(1, options.max_attempts))
    return options.max_attempts * one_try + waits


def test_a_job_that_always_fails_is_dead_within_an_hour():
    """At the defaults, if each try takes all of its time and kills its worker at the end."""
    assert longest_life(LearnOptions()) <= HOUR


def test_one_call_fits_into_a_try():
    """At the defaults a slow model is named as such, before the time of the whole try is over."""
    assert longest_call(OpenAIChatOptions()) <= LearnOptions().job_seconds


@given(
    tries=st.integers(1, 10_000),
    first=st.floats(0.01, 1e4),
    bound=st.floats(0.01, 1e5),
)
def test_the_waits_grow_up_to_their_bound(tries, first, bound):
    """However often it failed, the next wait is at least as long and never above the bound."""
    options = made(LearnOptions, retry_seconds=first, max_retry_seconds=bound)
    assert 0 < delay(options, tries) <= delay(options, tries + 1) <= bound


def test_the_life_counts_every_try_and_wait():
    """Tries with their lease and the poll before each, and the waits in between."""
    options = made(
        LearnOptions,
        max_attempts=3,
        job_seconds=100,
        lease_seconds=10,
        retry_seconds=1,
        max_retry_seconds=100,
    )
    assert longest_life(options) == 3 * (100 + 10 + 5) + 1 + 2
