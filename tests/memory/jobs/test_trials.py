"""How long a job is tried before it is given up."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.memory.jobs.learning import POLL_SECONDS
from recollect.memory.jobs.trials import delay
from recollect.memory.learn import LearnOptions
from recollect.memory.llms import OpenAIChatOptions
from recollect.memory.llms.openai import longest_call
from tests.support.constants import made

HOUR = 3600


def test_a_job_that_always_fails_is_dead_within_an_hour():
    """At the defaults, if each try takes all of its time and kills its worker at the end."""
    options = LearnOptions()
    one_try = options.job_seconds + options.lease_seconds + POLL_SECONDS
    waits = sum(delay(options, tries) for tries in range(1, options.max_attempts))
    assert options.max_attempts * one_try + waits <= HOUR


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
