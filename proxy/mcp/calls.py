"""Calls in progress: a client that cancels one ends its work, but no write in the middle."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Hashable
from typing import Any, TypeVar, cast

from recollect.memory.util.tasks import Tasks

Answer = TypeVar("Answer")


class CallCancelledError(Exception):
    """Its client does not want the answer any more."""


class Calls:
    """The calls of all clients. Each runs in a task of its own."""

    def __init__(self, tasks: Tasks) -> None:
        self._tasks = tasks
        self._wanted: dict[Hashable, asyncio.Future[None]] = {}

    def __len__(self) -> int:
        return len(self._wanted)

    async def run(
        self,
        work: Coroutine[Any, Any, Answer],
        *,
        name: str,
        key: Hashable | None = None,
        finishes: bool = False,
    ) -> Answer:
        """The answer of `work`. `key` names it for `cancel`.

        Work that `finishes` runs to its end even if nobody waits for it any more. Raises what the
        work raises.

        Raises:
            CallCancelledError: it was cancelled by its key.
        """
        task = self._tasks.start(_outcome(work), name=name)
        stop = asyncio.get_running_loop().create_future()
        key = object() if key is None else key
        self._wanted[key] = stop
        try:
            await asyncio.wait({task, stop}, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                raise CallCancelledError
            answer, error = task.result()
            if error is not None:
                raise error
            return cast("Answer", answer)
        finally:
            if self._wanted.get(key) is stop:
                del self._wanted[key]
            stop.cancel()
            if not finishes:
                task.cancel()

    def cancel(self, key: Hashable) -> bool:
        """End the call of this key; False if there is none."""
        stop = self._wanted.get(key)
        if stop is None or stop.done():
            return False
        stop.set_result(None)
        return True


async def _outcome(work: Coroutine[Any, Any, Answer]) -> tuple[Any, Exception | None]:
    """What it returns or raises: whoever waits for it hears of an error, and logs it if need be."""
    try:
        return await work, None
    except Exception as error:  # noqa: BLE001 - raised again by whoever waits
        return None, error
