"""How long tests wait for what must happen: long enough for a machine ten times slower than usual.

An event ends a wait; a limit is only there so that a hang fails and says where it hung.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

HANG_SECONDS = 120.0
"""Whatever takes longer than this hangs, on any machine."""

FOREVER_SECONDS = 4 * HANG_SECONDS
"""For what is meant to hang."""

STEP_SECONDS = 0.02


def wait_until(condition: Callable[[], object], what: str = "it") -> None:
    """Return when `condition` is true; AssertionError that names `what` if it never is."""
    end = time.monotonic() + HANG_SECONDS
    while not condition():
        assert time.monotonic() < end, f"{what} did not happen in {HANG_SECONDS:.0f} s"
        time.sleep(STEP_SECONDS)


async def until(condition: Callable[[], Any], what: str = "it") -> Any:
    """What `condition` returns, as soon as that is true; it may be a coroutine function."""
    end = time.monotonic() + HANG_SECONDS
    while True:
        found = condition()
        if isinstance(found, Awaitable):
            found = await found
        if found:
            return found
        assert time.monotonic() < end, f"{what} did not happen in {HANG_SECONDS:.0f} s"
        await asyncio.sleep(STEP_SECONDS)
