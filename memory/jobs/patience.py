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


def longest_life(options: LearnOptions) -> float:
    """Seconds after which a job that always fails is dead, counted from its first claim.

    Each try takes all of its time, its worker dies at the end of it, and the queue is looked at as
    late as possible. Times in which a part was down are not included.
    """
    one_try = options.job_seconds + options.lease_seconds + POLL_SECONDS
    waits = sum(delay(options, tries) for tries in range(1, options.max_attempts))
    return options.max_attempts * one_try + waits
