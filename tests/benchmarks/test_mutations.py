"""The table of what is broken on purpose, and of the tests that look at it."""

from __future__ import annotations

from benchmarks.mutations import ROOMS, ROOT


def test_rooms_and_tests_of_the_table_are_there():
    """A test that is gone catches nothing, and a room that is gone is never broken."""
    named = {*ROOMS, *(path for paths in ROOMS.values() for path in paths)}
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []
