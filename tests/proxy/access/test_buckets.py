"""Token buckets: what is taken, what is left, and when the next request is taken."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.proxy.access.buckets import Pace, refilled, take

PACES = st.builds(
    Pace, burst=st.integers(1, 50), per_second=st.floats(1 / 60, 1000, allow_nan=False)
)


@given(PACES, st.lists(st.floats(0, 100, allow_nan=False), max_size=60))
def test_who_comes_back_when_told_is_taken(pace, pauses):
    """`retry_after` is enough, and one second less is not; what is left is within the bucket."""
    bucket, now = None, 0.0
    for pause in pauses:
        now += pause
        bucket, told = take(bucket, pace, now)
        assert 0 <= told.remaining <= pace.burst
        assert told.limit == pace.burst
        assert told.allowed == (told.retry_after == 0)
        if not told.allowed:
            assert take(bucket, pace, now + told.retry_after)[1].allowed
            assert not take(bucket, pace, now + told.retry_after - 1.001)[1].allowed
        full, again = take(bucket, pace, now + told.reset)
        assert again.remaining >= pace.burst - 1, full


@given(PACES, st.lists(st.floats(0, 5, allow_nan=False), min_size=1, max_size=200))
def test_never_more_than_the_burst_and_the_pace(pace, pauses):
    """Over any time from the start: the bucket, and what flowed into it."""
    bucket, now, taken = None, 0.0, 0
    for pause in pauses:
        now += pause
        bucket, told = take(bucket, pace, now)
        taken += told.allowed
        assert taken <= pace.burst + now * pace.per_second + 0.01


def test_a_clock_that_goes_back_takes_nothing_away():
    """And gives nothing."""
    bucket, _ = take(None, Pace(5, 1.0), 100.0)
    assert take(bucket, Pace(5, 1.0), 50.0)[1].remaining == 3


def test_what_was_taken_fades_as_the_bucket_fills():
    """By half when half of it is back, and wholly when the bucket is full."""
    pace = Pace(8, 1.0)
    bucket, _ = take(None, pace, 0.0)
    for _ in range(3):
        bucket, _ = take(bucket, pace, 0.0)
    assert round(2.718281828 ** -refilled(bucket, pace, 2.0).drained, 3) == 0.5
    assert refilled(bucket, pace, 4.0).drained == 50
