"""Rounds of background work that outlive their failures."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from ..errors import RecollectError

log = logging.getLogger(__name__)


async def guarded(work: Callable[[], Awaitable[object]]) -> None:
    """Run one round of a loop: a failing part must not end the loop, the next round tries again."""
    try:
        await work()
    except RecollectError as error:
        log.warning("background work has to wait: %s: %s", error.code, error)
    except Exception:
        log.exception("background work failed in a way nobody thought of")


async def repeat(seconds: float, work: Callable[[], Awaitable[object]]) -> None:
    """Run `work` every so many seconds, whatever becomes of it."""
    while True:
        await asyncio.sleep(seconds)
        await guarded(work)
