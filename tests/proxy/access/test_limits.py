"""The limits of tenants and users: what is taken, what is left, and who is told which setting."""

import pytest

from recollect.config.server import ApiOptions, LimitOptions
from recollect.memory.model.admission import Taken
from recollect.memory.model.errors import StateError
from recollect.proxy.access.limits import (
    MAX_TENANTS,
    OverLimitError,
    RequestLimits,
)
from tests.support.clock import Clock


def limits(clock, tenant_limits=None, **every):
    options = ApiOptions(limits=LimitOptions(**every), tenant_limits=tenant_limits or {})
    return RequestLimits(options, clock)


def refused(asked, tenant="acme", user=None):
    with pytest.raises(OverLimitError) as caught:
        asked.take(tenant, user)
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


def test_tenants_are_bounded():
    """The one that was quiet for longest is forgotten, and begins anew."""
    asked = limits(Clock(), requests_per_minute=1)
    for number in range(MAX_TENANTS + 1):
        asked.take(str(number))
    assert len(asked._buckets) == MAX_TENANTS
    asked.take("0")
    refused(asked, str(MAX_TENANTS))


def test_one_user_leaves_something_for_the_others():
    """Whoever takes all it can takes half; the next one is answered, and the refusal says why."""
    asked = limits(Clock(), requests_per_minute=60)
    for left in range(29, -1, -1):
        told = asked.take("acme", "ada")
        assert (told["X-RateLimit-Limit"], told["X-RateLimit-Remaining"]) == ("30", str(left))
    assert "other users" in str(refused(asked, user="ada"))
    for _ in range(15):
        asked.take("acme", "bob")
    refused(asked, user="bob")
    asked.take("acme", "eva")
    asked.take("emca", "ada")


class Everybody:
    """The buckets of all replicas: they say what they are told to, or are away."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []

    async def take(self, tenant, user, *, burst, per_second):
        self.asked.append((tenant, user, burst, per_second))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


async def test_the_buckets_of_all_replicas_decide():
    """Their answer is told as that of one's own bucket would be."""
    every = Everybody(Taken(allowed=True, left=2.0), Taken(allowed=False, left=0.5))
    options = ApiOptions(limits=LimitOptions(requests_per_minute=60, burst=3))
    asked = RequestLimits(options, admission=every)
    assert (await asked.take_of_all("acme"))["X-RateLimit-Remaining"] == "2"
    with pytest.raises(OverLimitError) as told:
        await asked.take_of_all("acme")
    assert told.value.headers["Retry-After"] == "1"
    assert every.asked[0] == ("acme", None, 3, 1.0)


async def test_ones_own_buckets_stand_in():
    """While those of all do not answer, each replica bounds what it is asked itself."""
    every = Everybody(*[StateError("down")] * 4)
    options = ApiOptions(limits=LimitOptions(requests_per_minute=60, burst=3))
    asked = RequestLimits(options, admission=every)
    for _ in range(3):
        await asked.take_of_all("acme")
    with pytest.raises(OverLimitError):
        await asked.take_of_all("acme")
