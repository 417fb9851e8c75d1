"""The only place that starts tasks: named, referenced, reported, drained."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any

log = logging.getLogger(__name__)

CANCEL_AGAIN_SECONDS = 1.0
"""Before Python 3.12 `asyncio.wait_for`, which redis-py uses, may swallow a cancellation.

See https://github.com/python/cpython/issues/86296.
"""


def beside(work: Coroutine[Any, Any, None], *, name: str) -> asyncio.Task[None]:
    """Run `work` beside its caller, who ends it: `work` tells its failures itself."""
    return asyncio.create_task(work, name=name)  # noqa: TID251 - the one place


class Tasks:
    """Background tasks of one application."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, Any], *, name: str) -> asyncio.Task[Any]:
        """Run `work` in the background; a failure is logged with its name."""
        task = asyncio.create_task(work, name=name)  # noqa: TID251 - the one place
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def __len__(self) -> int:
        return len(self._tasks)

    async def join(self) -> None:
        """Wait for the tasks to end, and for the tasks that they start."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def drain(self, seconds: float) -> None:
        """Wait up to `seconds` for the tasks to end, then cancel the rest; 0 cancels at once."""
        if self._tasks and seconds:
            await asyncio.wait(self._tasks, timeout=seconds)
        left = list(self._tasks)
        for task in left:
            if seconds:
                log.warning("task %s did not end in %.0f s: cancelled", task.get_name(), seconds)
        while left:
            for task in left:
                task.cancel()
            left = list((await asyncio.wait(left, timeout=CANCEL_AGAIN_SECONDS))[1])

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("task %s failed", task.get_name(), exc_info=error)
