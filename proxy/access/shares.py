"""How much of a tenant's requests one of its users may take. Pure.

What a user has taken lately never exceeds what is left for the others: one alone takes half of a
full bucket at once, two a third each, and somebody who comes later always finds some. In the long
run a user who is alone gets the tenant's whole pace: what it took is forgotten as the bucket fills.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from .buckets import ROUNDING, Allowance, Bucket, Pace, refilled


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
    left, missing = bucket.left, 0.0
    if allowed:
        used, left = used + 1, max(left - 1, 0.0)
    else:
        # Until then the bucket fills, and this share fades with what is missing of it.
        missing = (used + 1 - left) / (1 + used / (pace.burst - left))
    standing = Allowance(
        allowed=allowed,
        limit=(pace.burst + 1) // 2,
        remaining=max(int((left - used + 1) / 2 + ROUNDING), 0),
        reset=math.ceil((pace.burst - left) / pace.per_second),
        retry_after=math.ceil(missing / pace.per_second),
    )
    return Bucket(left, now, bucket.drained), Share(used, bucket.drained), standing
