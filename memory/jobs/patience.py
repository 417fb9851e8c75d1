"""How long a job is tried. Pure."""

from __future__ import annotations

from ..learn import LearnOptions

POLL_SECONDS = 5.0
"""Interval of polling the queue: retries and expired leases become due, and other processes add
jobs."""


def delay(options: LearnOptions, tries: int) -> float:
    """The wait after so many tries, in seconds: it doubles up to a bound."""
    # The exponent is bounded: a float overflows at 1024.
    return min(options.retry_seconds * 2.0 ** min(tries - 1, 60), options.max_retry_seconds)
