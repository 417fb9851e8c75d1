"""Buckets in Redis: as those of one process, for all."""

from __future__ import annotations

import uuid

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect.proxy.access.buckets import Bucket, Pace, Share, take, take_share
from tests.support.budget import examples

PACE = Pace(7, 0.5)
STEPS = st.lists(
    st.tuples(st.floats(0, 40), st.sampled_from([None, "ann", "bob"])), min_size=1, max_size=40
)


@settings(
    max_examples=examples(25),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(STEPS)
async def test_it_takes_as_the_buckets_of_a_process_do(admission, steps):
    """Whoever asks whenever: the script and the pure functions agree in every step."""
    tenant = uuid.uuid4().hex
    bucket: Bucket | None = None
    shares: dict[str, Share] = {}
    now = 1_000_000.0
    for wait, user in steps:
        now += wait
        taken = await admission.take(
            tenant, user, burst=PACE.burst, per_second=PACE.per_second, now=now
        )
        if user is None:
            bucket, standing = take(bucket, PACE, now)
        else:
            share = shares.get(user) if bucket is not None else None
            bucket, shares[user], standing = take_share(bucket, share or Share(), PACE, now)
            assert taken.used == pytest.approx(shares[user].used, abs=1e-6)
        assert taken.left == pytest.approx(bucket.left, abs=1e-6)
        assert taken.allowed is standing.allowed


async def test_two_processes_share_a_bucket(admission, other):
    """Together they have what one would have; another tenant has its own."""
    asked = [
        await each.take("t", None, burst=5, per_second=0.001) for each in (admission, other) * 4
    ]
    assert [one.allowed for one in asked] == [True] * 5 + [False] * 3
    assert (await other.take("u", None, burst=5, per_second=0.001)).left == 4
