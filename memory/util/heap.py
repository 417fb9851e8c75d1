"""The memory that the C library keeps after it was freed."""

from __future__ import annotations

import contextlib
import ctypes


def give_back() -> None:
    """Return freed memory to the system, if the C library can (``malloc_trim(3)``: glibc)."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
