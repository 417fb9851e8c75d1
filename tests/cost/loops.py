"""An event loop in a thread of its own, of which others can see that it waits."""

from __future__ import annotations

import asyncio
import selectors
import threading
from collections.abc import Coroutine
from typing import Any, Self, TypeVar

from tests.support.waiting import HANG_SECONDS

T = TypeVar("T")


class _Selector(selectors.DefaultSelector):
    waits = False

    def select(self, timeout: float | None = None) -> Any:
        self.waits = timeout is None or timeout > 0
        try:
            return super().select(timeout)
        finally:
            self.waits = False


class _CountingLoop(asyncio.SelectorEventLoop):
    """Knows how much of its work runs in other threads: on a busy machine they may stand still."""

    in_threads = 0

    def run_in_executor(self, executor: Any, func: Any, *args: Any) -> Any:
        future = super().run_in_executor(executor, func, *args)
        self.in_threads += 1
        future.add_done_callback(self._done)
        return future

    def _done(self, _future: Any) -> None:
        self.in_threads -= 1


class Loop:
    """Runs coroutines for other threads."""

    def __init__(self, name: str) -> None:
        self._selector = _Selector()
        self.loop = _CountingLoop(self._selector)
        # Debugging would add calls, and warn about the slow ones.
        self.loop.set_debug(False)
        self._thread = threading.Thread(target=self.loop.run_forever, name=name, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.run(self.loop.shutdown_asyncgens())
        self.run(self.loop.shutdown_default_executor())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()
        self.loop.close()

    @property
    def waits(self) -> bool:
        """Whether it has nothing to do until something comes in or a timer fires.

        What another thread left to it is something to do, though its thread does not run yet.
        """
        return self._selector.waits and not self.loop._ready  # type: ignore[attr-defined]

    @property
    def in_threads(self) -> int:
        """The calls that other threads make for it at the moment."""
        return self.loop.in_threads

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run it there and wait for its result."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(HANG_SECONDS)
