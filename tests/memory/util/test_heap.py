"""Freed memory goes back to the system."""

from __future__ import annotations

import ctypes

import pytest

from recollect.memory.util.heap import give_back


@pytest.mark.parametrize("missing", [AttributeError, OSError])
def test_a_c_library_that_cannot_is_no_error(monkeypatch, missing):
    """Where there is no `malloc_trim`, as in musl and macOS, the memory stays, and nothing fails."""

    def load(_name):
        raise missing

    monkeypatch.setattr(ctypes, "CDLL", load)
    give_back()
