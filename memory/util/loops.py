"""Background loops that survive the failure of a round."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from ..model.errors import RecollectError
from .clock import CLOCK, Clock

log = logging.getLogger(__name__)


async def guarded(work: Callable[[], Awaitable[object]]) -> None:
    """Run one round of a loop and log its failure: the next round tries again."""
    try:
        await work()
    except RecollectError as error:
        log.warning("background work failed and will be tried again: %s: %s", error.code, error)
    except Exception:
        log.exception("background work failed unexpectedly")


async def repeat(
    seconds: float, work: Callable[[], Awaitable[object]], clock: Clock = CLOCK
) -> None:
    """Run `work` every so many seconds (`Clock.together`), also after failures."""
    while True:
        await clock.sleep(clock.together(seconds))
        await guarded(work)
