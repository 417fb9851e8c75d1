"""Long computations away from the event loop: few at a time, and one at a time for each owner.

Threads share the interpreter with the loop, which gets its turn every `sys.getswitchinterval`. So
what matters is how many compute at once, and that one owner's work does not stand before all
others': whoever asks for much waits behind himself.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar
from weakref import WeakValueDictionary

T = TypeVar("T")


class Bulk:
    """A bounded pool of threads. Its threads start with the first work."""

    def __init__(self, threads: int, *, name: str = "bulk") -> None:
        self._pool = ThreadPoolExecutor(max_workers=threads, thread_name_prefix=name)
        self._turns: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    async def run(self, owner: Hashable, work: Callable[[], T]) -> T:
        """What `work` returns or raises.

        A caller that gives up does not stop the work, and its owner's next one waits for the end.
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
                done.exception()  # heard, also if nobody waits any more

        running.add_done_callback(over)
        return await asyncio.shield(running)

    def close(self) -> None:
        """Begin nothing more; what runs ends by itself."""
        self._pool.shutdown(wait=False, cancel_futures=True)
