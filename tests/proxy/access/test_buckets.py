"""Token buckets: what is taken, what is left, and when the next request is taken."""

from hypothesis import given
from hypothesis import strategies as st

from recollect.proxy.access.buckets import Pace, Share, take, take_share

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
