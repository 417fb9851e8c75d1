"""What a process has freed goes back to the system."""

from __future__ import annotations

import ctypes
import platform

import pytest

from recollect.memory.util.heap import LARGE_BYTES, keep_no_large

_FIELDS = "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost"


class _Mallinfo(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in _FIELDS.split()]


def mapped():
    """Bytes of blocks that are no part of a heap."""
    tell = ctypes.CDLL(None).mallinfo2
    tell.restype = _Mallinfo
    return tell().hblkhd


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="others have no such switch")
def test_large_blocks_are_no_part_of_a_heap():
    """Also after one was freed, from which on the library would cut the next ones from a heap."""
    keep_no_large()
    freed = bytearray(2 * LARGE_BYTES)
    del freed
    before = mapped()
    block = bytearray(2 * LARGE_BYTES)
    assert mapped() >= before + len(block)
    del block
    assert mapped() == before
