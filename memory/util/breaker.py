"""A circuit breaker (Nygard, "Release It!"): a part that fails again and again is left alone."""

from __future__ import annotations

from .clock import CLOCK, Clock

FAILURES = 5
"""In a row: one may be chance, and more hold up requests for a part that is dead."""
PAUSE_SECONDS = 5.0
MAX_PAUSE_SECONDS = 30.0
"""Longest time until a part that works again is noticed; the same as for a dead Milvus Lite."""


class Breaker:
    """Decides from the results of earlier calls whether a call may be made. Pure but its clock.

    Closed, it admits every call; it opens after `failures` in a row. Open, it admits none for
    `seconds`, then one at a time: the probe. A successful probe closes it; a failed one doubles the
    pause, up to `MAX_PAUSE_SECONDS`. Each admitted call is reported once, with the term it was
    admitted in: results of calls that began before the last opening or closing are ignored.
    """

    def __init__(
        self,
        *,
        failures: int = FAILURES,
        seconds: float = PAUSE_SECONDS,
        clock: Clock = CLOCK,
    ) -> None:
        self._allowed = failures
        self._seconds = seconds
        self._clock = clock
        self._failures = 0
        self._pause = seconds
        self._probe_at: float | None = None
        self._probing = False
        self._term = 0

    @property
    def wait(self) -> float:
        """Seconds until the next probe; 0 if a call may be made, or a probe runs."""
        return 0.0 if self._probe_at is None else max(0.0, self._probe_at - self._clock.monotonic())

    @property
    def is_open(self) -> bool:
        """Whether the breaker is open; this includes the time of a probe."""
        return self._probe_at is not None

    def admit(self) -> int | None:
        """The term in which a call may begin; None if it may not begin."""
        if self._probe_at is not None:
            if self._probing or self._clock.monotonic() < self._probe_at:
                return None
            self._probing = True
        return self._term

    def succeeded(self, term: int) -> bool:
        """A call succeeded; returns whether that closed the breaker."""
        if term != self._term:
            return False
        self._failures = 0
        if self._probe_at is None:
            return False
        self._probe_at, self._pause = None, self._seconds
        self._begin_term()
        return True

    def failed(self, term: int) -> bool:
        """A call failed; returns whether that opened the breaker: false if it was open already."""
        if term != self._term:
            return False
        if self._probe_at is not None:
            self._pause = min(self._pause * 2, max(self._seconds, MAX_PAUSE_SECONDS))
            self._open()
            return False
        self._failures += 1
        if self._failures < self._allowed:
            return False
        self._open()
        return True

    def abandoned(self, term: int) -> None:
        """A call ended without a usable result; if it was the probe, the next call may probe."""
        if term == self._term:
            self._probing = False

    def _open(self) -> None:
        self._probe_at = self._clock.monotonic() + self._pause
        self._begin_term()

    def _begin_term(self) -> None:
        self._failures = 0
        self._probing = False
        self._term += 1
