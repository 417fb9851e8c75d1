"""Protects requests from parts that are slow or dead.

A bound on concurrent calls, which follows what the part finishes in time (`admission`), and a
circuit breaker (Nygard, "Release It!"), which stops calls to a dead part and detects when it works
again. Nothing waits here: a call is made at once or not at all.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable

from recollect.filters import Outcome, Verdict
from recollect.memory.errors import InvalidInputError, RecollectError, ScopeError

from .admission import Admission, Stay, Took

log = logging.getLogger(__name__)

BUSY = Verdict(Outcome.DEGRADED, "busy")
CIRCUIT_OPEN = Verdict(Outcome.DEGRADED, "circuit_open")

ALIVE_SECONDS = 1.0
"""A late part that answered this recently counts as busy, not as dead."""
MAX_PAUSE_SECONDS = 30.0
"""Longest time until a part that works again is noticed; the same as for a dead Milvus Lite."""


class CircuitOpenError(RecollectError):
    """The part failed too often and is not called for a while."""

    code = CIRCUIT_OPEN.reason


class Breaker:
    """Decides from the results of earlier calls whether a call may be made. Pure but its clock.

    Closed, it admits every call; it opens after `failures` in a row. Open, it admits none for
    `seconds`, then one at a time: the probe. A successful probe closes it; a failed one doubles the
    pause, up to `MAX_PAUSE_SECONDS`. Each admitted call is reported once, with the term it was
    admitted in: results of calls that began before the last opening or closing are ignored.
    """

    def __init__(
        self, *, failures: int, seconds: float, clock: Callable[[], float] = time.monotonic
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
    def is_open(self) -> bool:
        """Whether the breaker is open; this includes the time of a probe."""
        return self._probe_at is not None

    def admit(self) -> int | None:
        """The term in which a call may begin; None if it may not begin."""
        if self._probe_at is not None:
            if self._probing or self._clock() < self._probe_at:
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
        self._probe_at = self._clock() + self._pause
        self._begin_term()

    def _begin_term(self) -> None:
        self._failures = 0
        self._probing = False
        self._term += 1


Heard = Callable[[Took, bool], None]
"""Told of each call that ran to its end, or until its deadline (True)."""


class Guard:
    """Makes calls while the part answers and the bound of concurrent calls is not reached."""

    def __init__(
        self,
        breaker: Breaker,
        admission: Admission,
        *,
        seconds: Callable[[], float] = lambda: math.inf,
        heard: Heard = lambda _took, _late: None,
        name: str = "recall",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`seconds` is the deadline in force; `name` is what the log calls the part."""
        self._breaker = breaker
        self._admission = admission
        self._seconds = seconds
        self._heard = heard
        self._name = name
        self._clock = clock
        self._answered_at = self._late_at = -math.inf

    async def run(
        self, call: Callable[[], Awaitable[None]], deadline: asyncio.Timeout
    ) -> Verdict | None:
        """Make the call, or return why it is not made. Raises what the call raises.

        `deadline` is the running timeout around this call. It distinguishes a call that took too
        long from a client that disconnected: both arrive as a cancellation.
        """
        stay = self._admission.enter(self._clock())
        if stay is None:
            return BUSY
        try:
            term = self._breaker.admit()
            if term is None:
                return CIRCUIT_OPEN
            await self._report(call, term, stay, deadline)
        finally:
            self._admission.leave(self._clock())
        return None

    async def ping(self) -> None:
        """For `/readyz`. Raises CircuitOpenError while calls are refused."""
        if self._breaker.is_open:
            raise CircuitOpenError("recall failed too often and is not called for a while")

    async def _report(
        self,
        call: Callable[[], Awaitable[None]],
        term: int,
        stay: Stay,
        deadline: asyncio.Timeout,
    ) -> None:
        try:
            await call()
        except (InvalidInputError, ScopeError):
            # The request is at fault: the part may not have been called at all.
            self._breaker.abandoned(term)
            raise
        except Exception:
            self._failed(term)
            raise
        except BaseException:
            if deadline.expired():
                self._late(term, stay)
            else:
                self._breaker.abandoned(term)
            raise
        self._answered_at = self._clock()
        self._note(stay, late=False)
        if self._breaker.succeeded(term):
            log.info("%s works again", self._name)

    def _late(self, term: int, stay: Stay) -> None:
        """Tell overloaded from dead: calls that are late together are one sign."""
        now = self._clock()
        self._note(stay, late=True)
        if now - self._answered_at < ALIVE_SECONDS or stay.began <= self._late_at:
            self._breaker.abandoned(term)
        else:
            self._late_at = now
            self._failed(term)

    def _note(self, stay: Stay, *, late: bool) -> None:
        took = self._admission.took(stay, self._clock())
        self._admission.learn(took, self._seconds(), late=late)
        self._heard(took, late)

    def _failed(self, term: int) -> None:
        if self._breaker.failed(term):
            log.warning(
                "%s failed too often in a row: chats continue without it until it works", self._name
            )
