"""Long computations off the event loop: few at a time, and one at a time for each owner.

Threads share the interpreter with the loop, which runs again after `sys.getswitchinterval`. So the
number of concurrent computations is bounded. Large requests from one client queue behind each
other, not in front of everybody else's.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from .tasks import Tasks

T = TypeVar("T")


class FairThreadPool:
    """A bounded pool of threads, started with the first work."""

    def __init__(self, threads: int, *, name: str = "bulk") -> None:
        self._pool = ThreadPoolExecutor(max_workers=threads, thread_name_prefix=name)
        self._turns: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()
        self._shared: dict[Hashable, asyncio.Task[Any]] = {}
        self._tasks = Tasks()

    async def run_shared(self, owner: Hashable, same: Hashable, work: Callable[[], T]) -> T:
        """As `run`; whoever asks for the same while it waits or runs gets its result."""
        key = (owner, same)
        running: asyncio.Task[T] | None = self._shared.get(key)
        if running is None:
            running = self._tasks.start(self.run(owner, work), name="shared computation")
            self._shared[key] = running
            running.add_done_callback(lambda _: self._shared.pop(key))
        return await asyncio.shield(running)

    async def run(self, owner: Hashable, work: Callable[[], T]) -> T:
        """Return what `work` returns, or raise what it raises.

        Cancelling the caller does not stop the work; the owner's next work waits until it ends.
        """
        turn = self._turns.setdefault(owner, asyncio.Lock())
        await turn.acquire()
        try:
            running = asyncio.get_running_loop().run_in_executor(self._pool, work)
        except BaseException:
            turn.release()
            raise

        def over(done: asyncio.Future[T]) -> None:
            turn.release()
            if not done.cancelled():
                done.exception()  # marks it as retrieved if the caller has gone

        running.add_done_callback(over)
        return await asyncio.shield(running)

    def close(self) -> None:
        """Start no more work; running work ends by itself."""
        self._pool.shutdown(wait=False, cancel_futures=True)
