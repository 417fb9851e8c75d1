"""Which later statements may be about the same matter as a memory."""

from dataclasses import replace

import numpy as np
import pytest

from recollect.memory.model.types import StoredMemory
from recollect.memory.recall.matter import NEAREST, alike, later
from tests.memory.recall.memories import angle, index_of, item, stored


def names(index, positions):
    return [index.entries[at].item.id for at in positions]


def after(index, position=0, *, least=0.5, most=NEAREST):
    every = np.ones(len(index.entries), bool)
    near = alike(index, position)
    return names(index, later(index, position, near, every, least=least, most=most))


def test_a_memory_is_like_itself():
    """And like any other by the cosine of the two."""
    index = index_of(stored("one", degrees=0), stored("other", degrees=60))
    assert alike(index, 0) == pytest.approx([1.0, 0.5])


def test_only_what_was_said_later():
    """Nothing is newer than the newest, and what was said at the same time is not newer."""
    index = index_of(
        stored("old", degrees=0, minutes=1),
        stored("first", degrees=0, minutes=0),
        stored("twin", degrees=0, minutes=1),
        stored("new", degrees=0, minutes=2),
    )
    assert after(index) == ["new"]
    assert after(index, 3) == []


def test_the_nearest_come_first():
    """As many as are wanted, and none that is too far away."""
    index = index_of(
        stored("said", degrees=0),
        *[stored(f"at {d}", degrees=d, minutes=d) for d in (40, 10, 30, 20, 80)],
    )
    assert after(index) == ["at 10", "at 20", "at 30"]
    assert after(index, most=9) == ["at 10", "at 20", "at 30", "at 40"]


def test_the_newest_of_a_group_is_first_however_far():
    """It is known to be of the same matter; the older ones of the group are left out."""

    def grouped(text, *, degrees, minutes):
        made = item(text, minutes=minutes)
        of_home = replace(made.provenance, matter="home")
        return StoredMemory(replace(made, provenance=of_home), angle(degrees))

    index = index_of(
        grouped("Berlin", degrees=0, minutes=0),
        grouped("Rome", degrees=0, minutes=1),
        grouped("Lyon", degrees=90, minutes=2),
        stored("near", degrees=5, minutes=3),
    )
    assert after(index) == ["Lyon", "near"]


def test_what_the_query_may_not_see_is_not_newer():
    """Not even as the newest of a group."""
    index = index_of(stored("old", degrees=0), stored("theirs", degrees=0, minutes=1))
    seen = np.array([True, False])
    assert later(index, 0, alike(index, 0), seen, least=0.0) == []
