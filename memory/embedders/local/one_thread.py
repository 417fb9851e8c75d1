"""Keeps the matrix products of numpy in the thread that asks for them.

OpenBLAS splits every product among threads for all cores, and these wait for each other: on two
cores one short text took 134 ms of processor time instead of 2.3.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

_LOCK = threading.Lock()


class _Limits:
    """The limit of this process, and how many blocks want it now."""

    def __init__(self) -> None:
        # Imported here: it looks through the loaded libraries, which takes some milliseconds.
        from threadpoolctl import ThreadpoolController

        self._controller = ThreadpoolController()
        self._users = 0
        self._limit: Any = None

    def enter(self, threads: int) -> None:
        with _LOCK:
            if not self._users:
                self._limit = self._controller.limit(limits=threads, user_api="blas")
            self._users += 1

    def leave(self) -> None:
        with _LOCK:
            self._users -= 1
            if not self._users:
                self._limit.restore_original_limits()


@cache
def _limits() -> _Limits:
    return _Limits()


@contextmanager
def blas_threads(threads: int) -> Iterator[None]:
    """Within, products use at most so many threads; the first of several blocks decides.

    The limit is of the whole process, and a program that uses this library has products of its
    own: so it ends with the last block. Blocks of different threads may overlap.
    """
    limits = _limits()
    limits.enter(threads)
    try:
        yield
    finally:
        limits.leave()
