"""Limits the requests of a tenant to the memory API, and their size.

Each tenant has a token bucket, and each user that a credential proves a share of it. Replicas that
share a Redis share the buckets; other processes have their own.
"""

from __future__ import annotations

import asyncio

from recollect.config.server import ApiOptions, LimitOptions
from recollect.memory.model.admission import Admission
from recollect.memory.model.errors import StateError
from recollect.memory.util.clock import CLOCK, Clock
from recollect.memory.util.lru import Lru

from .buckets import (
    Allowance,
    Bucket,
    Pace,
    Share,
    allowance_of,
    share_allowance_of,
    take,
    take_share,
)

MAX_TENANTS = 10_000
"""Of more, the one that was quiet for longest begins with a full bucket again."""
MAX_USERS = 50_000
"""Of more, what the one took who was quiet for longest is forgotten."""
MAX_BODY_BYTES = 2**20
"""Of a request to the memory API, if no limit says otherwise."""
SECONDS = 60
SHARED_SECONDS = 0.25
"""Longest wait for the buckets of all replicas."""


class OverLimitError(Exception):
    """The tenant asks too often; nothing was done."""

    def __init__(self, setting: str, allowance: Allowance) -> None:
        super().__init__(
            f"too many requests: come back in {allowance.retry_after} s (the limit is {setting})"
        )
        self.headers = allowance.headers


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


def merged(options: ApiOptions, tenant: str) -> LimitOptions:
    """The limits of a tenant: its own where they are set, those of all tenants otherwise."""
    own = options.tenant_limits.get(tenant)
    if own is None:
        return options.limits
    return options.limits.model_copy(update=own.model_dump(exclude_none=True))


class RequestLimits:
    """The configured limits, and what a bounded number of tenants and users took."""

    def __init__(
        self,
        options: ApiOptions,
        clock: Clock = CLOCK,
        *,
        admission: Admission | None = None,
    ) -> None:
        """`admission` has the buckets of all replicas."""
        self._admission = admission
        self._options = options
        self._clock = clock
        self._buckets: Lru[str, Bucket] = Lru(MAX_TENANTS)
        self._shares: Lru[tuple[str, str], Share] = Lru(MAX_USERS)

    async def take_of_all(self, tenant: str, user: str | None = None) -> dict[str, str]:
        """`take` from the buckets that all replicas share; from one's own if these do not answer.

        Raises:
            OverLimitError: the tenant, or the user, has no request left.
        """
        pace = pace_of(merged(self._options, tenant))
        if pace is None or self._admission is None:
            return self.take(tenant, user)
        try:
            async with asyncio.timeout(SHARED_SECONDS):
                taken = await self._admission.take(
                    tenant, user, burst=pace.burst, per_second=pace.per_second
                )
        except (StateError, TimeoutError):
            return self.take(tenant, user)
        if user is None:
            allowance = allowance_of(pace, taken.left, allowed=taken.allowed)
        else:
            allowance = share_allowance_of(pace, taken.left, taken.used, allowed=taken.allowed)
        return self._told(tenant, user, allowance)

    def take(self, tenant: str, user: str | None = None) -> dict[str, str]:
        """Count a request; the headers for its answer, none if the tenant has no limit.

        `user` is somebody who can be nobody else: it never takes what is left for other users.

        Raises:
            OverLimitError: the tenant, or the user, has no request left.
        """
        pace = pace_of(merged(self._options, tenant))
        if pace is None:
            return {}
        bucket, now = self._buckets.get(tenant), self._clock.monotonic()
        if user is None:
            bucket, allowance = take(bucket, pace, now)
        else:
            share = self._shares.get((tenant, user)) if bucket is not None else None
            bucket, share, allowance = take_share(bucket, share or Share(), pace, now)
            self._shares.put((tenant, user), share)
        self._buckets.put(tenant, bucket)
        return self._told(tenant, user, allowance)

    def _told(self, tenant: str, user: str | None, allowance: Allowance) -> dict[str, str]:
        if not allowance.allowed:
            others = "" if user is None else "; the rest is for other users of the tenant"
            raise OverLimitError(self._setting(tenant) + others, allowance)
        return allowance.headers

    def max_body_bytes(self, tenant: str) -> int:
        """The largest body that the tenant may send."""
        return merged(self._options, tenant).max_body_bytes or MAX_BODY_BYTES

    def _setting(self, tenant: str) -> str:
        own = self._options.tenant_limits.get(tenant)
        if own is None or own.requests_per_minute is None:
            return "api.limits.requests_per_minute"
        return f"api.tenant_limits.{tenant}.requests_per_minute"
