"""Work under a lease, which is renewed until the work ends. Losing the lease cancels the work."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from ..model.errors import StateError
from ..util.clock import CLOCK, Clock

log = logging.getLogger(__name__)

T = TypeVar("T")


class LeaseLostError(Exception):
    """Another worker has the job, or it was cancelled. Nothing more may be written for it."""


async def while_held(
    work: Awaitable[T],
    *,
    renew: Callable[[], Awaitable[bool]],
    every: float,
    clock: Clock = CLOCK,
) -> T:
    """Await `work`, renew the lease `every` so many seconds, and return the result.

    A renewal that fails is tried again at the next beat, which also notices an expired lease.

    Raises:
        LeaseLostError: a renewal was refused. The work was cancelled.
        Exception: what `work` raises.
    """
    held = _Held(renew, every, clock)
    # The end of the work stops the beats; a lost lease stops the work through its timeout.
    outcome, beats = await asyncio.gather(held.do(work), held.beat(), return_exceptions=True)
    if held.lost:
        raise LeaseLostError
    for error in (beats, outcome):
        if isinstance(error, BaseException):
            raise error
    return outcome  # type: ignore[return-value]  # an exception was raised above


class _Held:
    """The work and the renewals, each of which ends the other."""

    def __init__(self, renew: Callable[[], Awaitable[bool]], every: float, clock: Clock) -> None:
        self._renew = renew
        self._every = every
        self._clock = clock
        self._done = asyncio.Event()
        self._limit = asyncio.timeout(None)
        self.lost = False

    async def do(self, work: Awaitable[T]) -> T:
        try:
            async with self._limit:
                return await work
        finally:
            self._done.set()

    async def beat(self) -> None:
        try:
            while not self.lost and not await self._ended():
                await self._renew_once()
        finally:
            if not self._done.is_set():
                self._limit.reschedule(asyncio.get_running_loop().time())

    async def _ended(self) -> bool:
        """Whether the work ends before the next beat."""
        return await self._clock.within(self._every, self._done.wait())

    async def _renew_once(self) -> None:
        try:
            refused = not await self._renew()
        except StateError as error:
            log.warning("renewing a lease failed and will be tried again: %s", error)
        else:
            # Work that ended during the renewal still had the lease at its end.
            self.lost = refused and not self._done.is_set()
