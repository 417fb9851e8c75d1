"""An event loop in its own thread, and methods that call into it: what `Memory` stands on."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import wraps
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from ..util.tasks import Tasks
from .view import CLOSED

P = ParamSpec("P")
T = TypeVar("T")
A = TypeVar("A")

OWN_LOOP = "a Memory cannot be called from its own loop; use AsyncMemory inside coroutines"


class Portal:
    """An event loop in its own thread, and a way to call into it.

    Memories on the same folder use the same one (`enter`), and the last to leave closes it.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self._loop = asyncio.new_event_loop()
        self._folder = folder
        self._users = 1
        self._ending = Tasks()
        self.closed = False
        self._gate = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="recollect-memory", daemon=True)
        self._thread.start()

    @classmethod
    def enter(cls, folder: Path | None) -> Portal:
        """The portal of this process for a folder; without a folder, a new one."""
        if folder is None:
            return cls()
        with _registry:
            portal = _PORTALS.get(folder)
            if portal is None:
                portal = _PORTALS[folder] = cls(folder)
            else:
                portal._users += 1
            return portal

    def leave(self) -> None:
        """Use it no more. Raises as `close`."""
        if self._is_last():
            self.close()

    def leave_after(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Leave once `work` is done. Returns at once, takes no lock, and may be called anywhere."""
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(
                lambda: self._ending.start(self._left(work), name="end of a memory")
            )

    async def _left(self, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            await work()
        finally:
            if self._is_last():
                with self._gate:
                    self.closed = True
                self._loop.stop()

    def _is_last(self) -> bool:
        with _registry:
            self._users -= 1
            if not self._users and self._folder is not None:
                _PORTALS.pop(self._folder, None)
            return not self._users

    def check_thread(self) -> None:
        """Raises RuntimeError in the loop's own thread, which would wait for itself."""
        if threading.current_thread() is self._thread:
            raise RuntimeError(OWN_LOOP)

    def call(self, work: Coroutine[Any, Any, T]) -> T:
        """Run `work` on the loop and return its result.

        Raises:
            RuntimeError: called from the loop's own thread, or after `close`.
        """
        if threading.current_thread() is self._thread:
            work.close()
            raise RuntimeError(OWN_LOOP)
        # Under the lock, so that no work is handed to a stopped loop, where it would wait for ever.
        with self._gate:
            if self.closed:
                work.close()
                raise RuntimeError(CLOSED)
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
        return future.result()

    def close(self) -> None:
        """Stop the loop and its thread; running calls are cancelled. Safe to repeat.

        Raises:
            RuntimeError: called from the loop's own thread.
        """
        self.check_thread()
        with self._gate:
            if not self.closed:
                self.closed = True
                self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def _run(self) -> None:
        # The loop must end in its own thread: the thread that calls `close` may run another loop.
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.get_loop().run_forever()


_PORTALS: dict[Path, Portal] = {}
_registry = threading.Lock()


def _forked() -> None:
    """A child has none of its parent's threads."""
    global _registry  # noqa: PLW0603 - another thread of the parent may have held it
    _registry = threading.Lock()
    _PORTALS.clear()


with suppress(AttributeError):  # Windows does not fork
    os.register_at_fork(after_in_child=_forked)


def blocking(
    method: Callable[Concatenate[A, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate[Any, P], T]:
    """A blocking version of `method` with the same signature and docstring.

    It is for a class with the attributes `_portal` and `_memory`, on which `method` is called.
    """

    @wraps(method)
    def call(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> T:
        answer: T = self._portal.call(method(self._memory, *args, **kwargs))
        return answer

    return call
