"""What a process has freed goes back to the system."""

import platform
import subprocess
import sys

import pytest

MAPPED = """
import ctypes
from recollect.memory.util.heap import LARGE_BYTES, keep_no_large

FIELDS = "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost"

class Mallinfo(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in FIELDS.split()]

tell = ctypes.CDLL(None).mallinfo2
tell.restype = Mallinfo
keep_no_large()
freed = bytearray(2 * LARGE_BYTES)
del freed
before = tell().hblkhd
block = bytearray(2 * LARGE_BYTES)
assert tell().hblkhd >= before + len(block), "it was cut from a heap"
del block
assert tell().hblkhd == before, "it was kept"
"""


@pytest.mark.process
@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="others have no such switch")
def test_large_blocks_are_no_part_of_a_heap():
    """Also after one was freed, from which on the library would cut the next ones from a heap.

    In a process of its own: the heap of one that ran other tests has room for such a block.
    """
    subprocess.run([sys.executable, "-c", MAPPED], check=True, timeout=300)
