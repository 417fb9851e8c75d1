"""How many requests a tenant may make of the memory API, and how large they may be.

Each tenant has a token bucket: a request takes one, time refills them at an even pace. Each process
has buckets of its own.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from recollect.config.server import ApiOptions, LimitOptions
from recollect.memory.lru import Lru

MAX_TENANTS = 10_000
"""Of more, the one that was quiet for longest begins with a full bucket again."""
SECONDS = 60
_ROUNDING = 1e-6
"""Who comes back when told is not turned away by the error of a sum."""


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


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a tenant has left, in whole requests and whole seconds."""

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
        told = {
            "X-RateLimit-Limit": str(self.limit),
            "X-RateLimit-Remaining": str(self.remaining),
            "X-RateLimit-Reset": str(self.reset),
        }
        return told if self.allowed else told | {"Retry-After": str(self.retry_after)}


class OverLimitError(Exception):
    """The tenant asks too often; nothing was done."""

    def __init__(self, setting: str, standing: Allowance) -> None:
        super().__init__(
            f"too many requests: come back in {standing.retry_after} s (the limit is {setting})"
        )
        self.headers = standing.headers


class TooLargeError(Exception):
    """The body exceeds what the tenant may send."""

    def __init__(self, most: int) -> None:
        super().__init__(f"the body exceeds {most} bytes")


def pace_of(options: LimitOptions) -> Pace | None:
    """The pace that the options allow; None if there is no limit."""
    if not options.requests_per_minute:
        return None
    burst = options.burst or options.requests_per_minute
    return Pace(burst, options.requests_per_minute / SECONDS)


def take(bucket: Bucket | None, pace: Pace, now: float) -> tuple[Bucket, Allowance]:
    """The bucket after one more request at `now`, and what that leaves. Without a bucket: full."""
    left = float(pace.burst)
    if bucket is not None:
        left = min(left, bucket.left + max(now - bucket.at, 0) * pace.per_second)
    allowed = left >= 1 - _ROUNDING
    left = max(left - allowed, 0)
    missing = 0 if allowed else 1 - left
    standing = Allowance(
        allowed=allowed,
        limit=pace.burst,
        remaining=int(left + _ROUNDING),
        reset=math.ceil((pace.burst - left) / pace.per_second),
        retry_after=math.ceil(missing / pace.per_second),
    )
    return Bucket(left, now), standing


def merged(options: ApiOptions, tenant: str) -> LimitOptions:
    """The limits of a tenant: its own where they are set, those of all tenants otherwise."""
    own = options.tenant_limits.get(tenant)
    if own is None:
        return options.limits
    return options.limits.model_copy(update=own.model_dump(exclude_none=True))


class RequestLimits:
    """The configured limits and the buckets of a bounded number of tenants."""

    def __init__(self, options: ApiOptions, clock: Callable[[], float] = time.monotonic) -> None:
        self._options = options
        self._clock = clock
        self._buckets: Lru[str, Bucket] = Lru(MAX_TENANTS)

    def take(self, tenant: str) -> dict[str, str]:
        """Count a request; the headers for its answer, none if the tenant has no limit.

        Raises:
            OverLimitError: the tenant has no request left.
        """
        pace = pace_of(merged(self._options, tenant))
        if pace is None:
            return {}
        bucket, standing = take(self._buckets.get(tenant), pace, self._clock())
        self._buckets.put(tenant, bucket)
        if not standing.allowed:
            raise OverLimitError(self._setting(tenant), standing)
        return standing.headers

    def max_body_bytes(self, tenant: str) -> int:
        """The largest body that the tenant may send."""
        return merged(self._options, tenant).max_body_bytes or self._options.max_body_bytes

    def _setting(self, tenant: str) -> str:
        own = self._options.tenant_limits.get(tenant)
        if own is None or own.requests_per_minute is None:
            return "api.limits.requests_per_minute"
        return f"api.tenant_limits.{tenant}.requests_per_minute"
