"""Token buckets: what is taken, what is left, and when the next request is taken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.config.server import ApiOptions, LimitOptions
from recollect.proxy.access.limits import (
    MAX_TENANTS,
    OverLimitError,
    Pace,
    RequestLimits,
    pace_of,
    take,
)
from tests.support.clock import Clock

PACES = st.builds(
    Pace, burst=st.integers(1, 50), per_second=st.floats(1 / 60, 1000, allow_nan=False)
)


def limits(clock, tenant_limits=None, **every):
    options = ApiOptions(limits=LimitOptions(**every), tenant_limits=tenant_limits or {})
    return RequestLimits(options, clock)


def refused(asked, tenant="acme"):
    with pytest.raises(OverLimitError) as caught:
        asked.take(tenant)
    return caught.value


def test_a_minute_of_requests_at_once_then_the_pace():
    """Without a burst those of a minute are taken; after that one for each refilled token."""
    clock = Clock()
    asked = limits(clock, requests_per_minute=30)
    left = [asked.take("acme")["X-RateLimit-Remaining"] for _ in range(30)]
    assert left == [str(number) for number in range(29, -1, -1)]
    assert refused(asked).headers == {
        "X-RateLimit-Limit": "30",
        "X-RateLimit-Remaining": "0",
        "X-RateLimit-Reset": "60",
        "Retry-After": "2",
    }
    clock.now += 2
    asked.take("acme")
    assert "come back in 2 s" in str(refused(asked))


def test_a_burst_is_the_size_of_the_bucket():
    """A long pause gives no more than that."""
    clock = Clock()
    asked = limits(clock, requests_per_minute=60, burst=3)
    clock.now += 10_000
    assert asked.take("acme")["X-RateLimit-Limit"] == "3"
    assert [asked.take("acme")["X-RateLimit-Remaining"] for _ in range(2)] == ["1", "0"]
    assert refused(asked).headers["Retry-After"] == "1"


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


def test_each_tenant_has_its_own_bucket():
    """One that asks too often leaves the others alone."""
    asked = limits(Clock(), requests_per_minute=1)
    asked.take("acme")
    refused(asked)
    asked.take("emca")


def test_a_tenant_may_have_other_limits():
    """Key by key; 0 is no limit, and a refusal names the setting that counts."""
    own = {
        "acme": LimitOptions(requests_per_minute=1, max_body_bytes=5000),
        "free": LimitOptions(requests_per_minute=0),
        "large": LimitOptions(max_body_bytes=9000),
    }
    asked = limits(Clock(), own, requests_per_minute=2, max_body_bytes=2000)
    asked.take("acme")
    assert "api.tenant_limits.acme.requests_per_minute" in str(refused(asked))
    assert [asked.take("free") for _ in range(9)] == [{}] * 9
    for _ in range(2):
        asked.take("large")
    assert "(the limit is api.limits.requests_per_minute)" in str(refused(asked, "large"))
    sizes = {name: asked.max_body_bytes(name) for name in ("acme", "free", "large", "x")}
    assert sizes == {"acme": 5000, "free": 2000, "large": 9000, "x": 2000}


def test_by_default_there_is_no_limit():
    """Of requests; the body's is `api.max_body_bytes`."""
    assert pace_of(LimitOptions()) is None
    asked = limits(Clock())
    assert asked.take("acme") == {}
    assert asked.max_body_bytes("acme") == ApiOptions().max_body_bytes


def test_tenants_are_bounded():
    """The one that was quiet for longest is forgotten, and begins anew."""
    asked = limits(Clock(), requests_per_minute=1)
    for number in range(MAX_TENANTS + 1):
        asked.take(str(number))
    assert len(asked._buckets) == MAX_TENANTS
    asked.take("0")
    refused(asked, str(MAX_TENANTS))
