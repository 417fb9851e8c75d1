"""Token buckets: what is taken, what is left, and when the next request is taken."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.proxy.access.buckets import Pace, Share, refilled, take, take_share

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


# The shares of users: nobody takes it all, and nobody waits in vain.

SHARED_PACES = st.builds(
    Pace, burst=st.integers(2, 50), per_second=st.floats(1 / 60, 1000, allow_nan=False)
)
TAKING = st.lists(st.tuples(st.integers(0, 3), st.floats(0, 20, allow_nan=False)), max_size=80)


def greedy(pace, users, now=0.0, bucket=None, shares=None):
    """What each of these users gets who all take what they can, in turns; and the bucket."""
    shares = shares if shares is not None else {}
    got = dict.fromkeys(users, 0)
    more = True
    while more:
        more = False
        for user in users:
            bucket, shares[user], told = take_share(bucket, shares.get(user, Share()), pace, now)
            got[user] += told.allowed
            more |= told.allowed
    return got, bucket


def test_each_gets_the_same_and_as_much_is_left():
    """One of them a half, two a third each, five a sixth."""
    pace = Pace(60, 1.0)
    for many in (1, 2, 5):
        got, bucket = greedy(pace, range(many))
        assert set(got.values()) == {60 // (many + 1)}
        assert bucket.left == 60 // (many + 1)


@given(SHARED_PACES, st.floats(0, 1000, allow_nan=False))
def test_a_newcomer_is_answered_however_greedy_another_is(pace, now):
    """At once, without waiting for the bucket to fill."""
    got, bucket = greedy(pace, ["greedy"], now)
    assert got["greedy"] == (pace.burst + 1) // 2
    assert take_share(bucket, Share(), pace, now)[2].allowed


@given(SHARED_PACES, TAKING)
def test_a_user_who_comes_back_when_told_is_taken(pace, taking):
    """`retry_after` is enough if nobody else takes meanwhile; what is told is within the share."""
    bucket, shares, now = None, {}, 0.0
    for user, pause in taking:
        now += pause
        share = shares.get(user, Share())
        bucket, shares[user], told = take_share(bucket, share, pace, now)
        assert 0 <= told.remaining <= told.limit
        assert told.allowed == (told.retry_after == 0)
        if told.allowed:
            continue
        later = now + told.retry_after
        assert take_share(bucket, shares[user], pace, later)[2].allowed
        sooner = now + told.retry_after - 1.001
        if sooner > now:
            assert not take_share(bucket, shares[user], pace, sooner)[2].allowed


@given(SHARED_PACES, TAKING)
def test_users_never_take_more_than_their_tenant_may(pace, taking):
    """The bucket is the same one, with shares and without."""
    bucket, plain, shares, now = None, None, {}, 0.0
    for user, pause in taking:
        now += pause
        share = shares.get(user, Share())
        bucket, shares[user], told = take_share(bucket, share, pace, now)
        if told.allowed:
            plain, allowed = take(plain, pace, now)
            assert allowed.allowed
