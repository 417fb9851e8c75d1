"""Protects requests from parts that are slow or dead.

A bound on concurrent calls, and a circuit breaker (`memory.breaker`), which stops calls to a dead
part and detects when it works again.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable, Hashable

from recollect.filters import Outcome, Verdict
from recollect.memory.model.errors import InvalidInputError, RecollectError, ScopeError
from recollect.memory.util.breaker import Breaker
from recollect.memory.util.fair_turns import FairPlaces

log = logging.getLogger(__name__)

BUSY = Verdict(Outcome.DEGRADED, "busy")
CIRCUIT_OPEN = Verdict(Outcome.DEGRADED, "circuit_open")

ALIVE_SECONDS = 5.0
"""A late part that answered this recently counts as busy, not as dead. A machine with a tenth of a
core and more chats than it serves answers one recall in a second or two."""


class CircuitOpenError(RecollectError):
    """The part failed too often and is not called for a while."""

    code = CIRCUIT_OPEN.reason


class Guard:
    """Makes calls while the part answers and the bound of concurrent calls is not reached."""

    def __init__(
        self,
        breaker: Breaker,
        most: int,
        *,
        wait_seconds: Callable[[], float] = float,
        name: str = "recall",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`most` calls run at a time; others wait for `wait_seconds`, which are asked each time.

        Owners whose calls wait get places in turn. The log calls the part `name`.
        """
        self._breaker = breaker
        self._places = FairPlaces(most)
        self._wait_seconds = wait_seconds
        self._name = name
        self._clock = clock
        self._answered_at = self._late_at = -math.inf

    async def run(
        self,
        call: Callable[[], Awaitable[None]],
        deadline: asyncio.Timeout,
        owner: Hashable = None,
    ) -> Verdict | None:
        """Make the call, or return why it is not made. Raises what the call raises.

        `deadline` is the running timeout around this call. It distinguishes a call that took too
        long from a client that disconnected: both arrive as a cancellation.
        """
        if not (self._places.take_free() or await self._has_place(owner)):
            return BUSY
        try:
            term = self._breaker.admit()
            if term is None:
                return CIRCUIT_OPEN
            await self._report(call, term, deadline)
        finally:
            self._places.give_back()
        return None

    @property
    def is_open(self) -> bool:
        """Whether calls are refused because they failed."""
        return self._breaker.is_open

    async def ping(self) -> None:
        """For `/readyz`. Raises CircuitOpenError while calls are refused."""
        if self.is_open:
            raise CircuitOpenError("recall failed too often and is not called for a while")

    async def _has_place(self, owner: Hashable) -> bool:
        """Wait for a place and take it; the caller gives it back."""
        try:
            async with asyncio.timeout(self._wait_seconds()):
                await self._places.take(owner)
        except TimeoutError:
            return False
        return True

    async def _report(
        self, call: Callable[[], Awaitable[None]], term: int, deadline: asyncio.Timeout
    ) -> None:
        began = self._clock()
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
                self._late(term, began)
            else:
                self._breaker.abandoned(term)
            raise
        self._answered_at = self._clock()
        if self._breaker.succeeded(term):
            log.info("%s works again", self._name)

    def _late(self, term: int, began: float) -> None:
        """Tell overloaded from dead: calls that are late together are one sign."""
        now = self._clock()
        if now - self._answered_at < ALIVE_SECONDS or began <= self._late_at:
            self._breaker.abandoned(term)
        else:
            self._late_at = now
            self._failed(term)

    def _failed(self, term: int) -> None:
        if self._breaker.failed(term):
            log.warning(
                "%s failed too often in a row: chats continue without it until it works", self._name
            )
