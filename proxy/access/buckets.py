"""Token buckets: a request takes one, time refills them at an even pace. Pure.

Users of a tenant share its bucket. What a user has taken lately never exceeds what is left for the
others: one alone takes half of a full bucket at once, two a third each, and somebody who comes
later always finds some. In the long run a user who is alone gets the tenant's whole pace: what it
took is forgotten as the bucket fills.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

ROUNDING = 1e-6
"""Who comes back when told is not turned away by the error of a sum."""
_EMPTIED = 50.0
"""Of a bucket that became full nothing is left of what was taken: a factor of e^-50."""


@dataclass(frozen=True, slots=True)
class Pace:
    """The size of a bucket, and how fast it fills."""

    burst: int
    per_second: float


@dataclass(frozen=True, slots=True)
class Bucket:
    """What was left at some time of the clock."""

    left: float
    at: float
    drained: float = 0.0
    """How much of what was taken has been refilled since the beginning, as a logarithm."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a caller has left, in whole requests and whole seconds."""

    allowed: bool
    limit: int
    remaining: int
    reset: int
    """Seconds until the bucket is full."""
    retry_after: int
    """Seconds until the next request is taken; 0 if one is left."""

    @property
    def headers(self) -> dict[str, str]:
        """As an answer tells it."""
        headers = {
            "X-RateLimit-Limit": str(self.limit),
            "X-RateLimit-Remaining": str(self.remaining),
            "X-RateLimit-Reset": str(self.reset),
        }
        return headers if self.allowed else headers | {"Retry-After": str(self.retry_after)}


def refilled(bucket: Bucket | None, pace: Pace, now: float) -> Bucket:
    """The bucket at `now`; without a past it is full."""
    if bucket is None:
        return Bucket(float(pace.burst), now)
    left = min(float(pace.burst), bucket.left + max(now - bucket.at, 0) * pace.per_second)
    missed, misses = pace.burst - bucket.left, pace.burst - left
    faded = 0.0
    if missed > 0:
        faded = _EMPTIED if misses <= 0 else min(math.log(missed / misses), _EMPTIED)
    return Bucket(left, now, bucket.drained + faded)


def take(bucket: Bucket | None, pace: Pace, now: float) -> tuple[Bucket, Allowance]:
    """The bucket after one more request at `now`, and what that leaves. Without a bucket: full."""
    bucket = refilled(bucket, pace, now)
    left = bucket.left
    allowed = left >= 1 - ROUNDING
    left = max(left - allowed, 0)
    return Bucket(left, now, bucket.drained), allowance_of(pace, left, allowed=allowed)


def allowance_of(pace: Pace, left: float, *, allowed: bool) -> Allowance:
    """What a tenant has left, of a bucket after a request."""
    missing = 0 if allowed else 1 - left
    return Allowance(
        allowed=allowed,
        limit=pace.burst,
        remaining=int(left + ROUNDING),
        reset=math.ceil((pace.burst - left) / pace.per_second),
        retry_after=math.ceil(missing / pace.per_second),
    )


@dataclass(frozen=True, slots=True)
class Share:
    """What a user has taken of a bucket, as it was when the bucket had drained so far."""

    used: float = 0.0
    drained: float = 0.0


def take_share(
    bucket: Bucket | None, share: Share, pace: Pace, now: float
) -> tuple[Bucket, Share, Allowance]:
    """Bucket and share after one more request of this user at `now`, and what that leaves it.

    A bucket without a past (None) is full, and nobody has taken anything of it.
    """
    bucket = refilled(bucket, pace, now)
    # What everybody took fades at the same rate, since the bucket fills for all of them.
    faded = bucket.drained - share.drained
    used = share.used * math.exp(-faded) if faded >= 0 else 0.0  # of a bucket that was forgotten
    allowed = used + 1 <= bucket.left + ROUNDING
    left = bucket.left
    if allowed:
        used, left = used + 1, max(left - 1, 0.0)
    allowance = share_allowance_of(pace, left, used, allowed=allowed)
    return Bucket(left, now, bucket.drained), Share(used, bucket.drained), allowance


def share_allowance_of(pace: Pace, left: float, used: float, *, allowed: bool) -> Allowance:
    """What a user has left, of a bucket and a share after a request."""
    # Until then the bucket fills, and this share fades with what is missing of it.
    missing = 0.0 if allowed else (used + 1 - left) / (1 + used / (pace.burst - left))
    return Allowance(
        allowed=allowed,
        limit=(pace.burst + 1) // 2,
        remaining=max(int((left - used + 1) / 2 + ROUNDING), 0),
        reset=math.ceil((pace.burst - left) / pace.per_second),
        retry_after=math.ceil(missing / pace.per_second),
    )
