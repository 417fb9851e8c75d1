"""The memory of a process: what is never garbage, and what was freed."""

from __future__ import annotations

import contextlib
import ctypes
import gc
from collections.abc import Iterator

_MMAP_THRESHOLD = -3
"""A number of ``malloc.h``."""
LARGE_BYTES = 1 << 20


def keep_no_large() -> None:
    """Return each freed block of `LARGE_BYTES` to the system, if the C library can (glibc).

    By itself it does so until the first such block is freed. From then on it cuts them from heaps,
    in which smaller ones that live longer keep the holes: 10 MB of a server.
    """
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, LARGE_BYTES)


def give_back() -> None:
    """Return freed memory to the system, if the C library can (``malloc_trim(3)``: glibc)."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


@contextlib.contextmanager
def loading() -> Iterator[None]:
    """Collect no garbage while modules load: none becomes any, and it takes a tenth of the time."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
