"""Lines of standard input, of any kind of file."""

from __future__ import annotations

import contextlib
import os
import threading

import pytest

from recollect.proxy.mcp import lines
from recollect.proxy.mcp.lines import lines_of, own_input


@pytest.fixture
def pipe():
    """Both ends."""
    reading, writing = os.pipe()
    yield reading, writing
    for end in (reading, writing):
        with contextlib.suppress(OSError):
            os.close(end)


def read(pipe, data):
    """The lines of a pipe that is written by another thread."""
    reading, writing = pipe

    def write():
        os.write(writing, data)
        os.close(writing)

    thread = threading.Thread(target=write)
    thread.start()
    found = list(lines_of(reading))
    thread.join()
    return found


def test_a_line_without_end_is_bounded(pipe, monkeypatch):
    """Its rest is left out, and the next line is whole."""
    monkeypatch.setattr(lines, "MAX_LINE_BYTES", 4)
    monkeypatch.setattr(lines, "_PIECE", 3)
    assert read(pipe, b"0123456789\nabc\n" + b"x" * 50) == [b"0123", b"abc", b"xxxx"]


def test_standard_input_is_nobody_elses(pipe):
    """Meanwhile it is at its end for everybody; afterwards it is what it was."""
    reading, writing = pipe
    before = os.dup(0)
    try:
        os.dup2(reading, 0)
        with own_input() as fd:
            os.write(writing, b"x")
            assert os.read(0, 10) == b""
            assert os.read(fd, 10) == b"x"
        os.write(writing, b"y")
        assert os.read(0, 10) == b"y"
    finally:
        os.dup2(before, 0)
        os.close(before)
        os.close(fd)
