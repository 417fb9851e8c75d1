"""Numbers that are found in a memory's vector, kept beside it."""

from __future__ import annotations

import numpy as np

from recollect.memory.recall.index.cached_signals import CachedSignals

JUDGE = object()


class Finding:
    """Finds the number of a position and its double, and tells of which positions it was asked."""

    def __init__(self):
        self.asked = []

    def __call__(self, positions):
        self.asked += positions.tolist()
        return np.stack([positions, 2 * positions], axis=1).astype(np.float32)


def rows_at(noted, find, *positions, judge=JUDGE):
    return noted.of(judge, np.array(positions, np.int64), find).tolist()


def test_each_row_is_found_once():
    """Whatever is asked for with it, and in whichever order."""
    noted, find = CachedSignals(), Finding()
    assert rows_at(noted, find, 2, 5) == [[2, 4], [5, 10]]
    assert rows_at(noted, find, 1, 2, 9) == [[1, 2], [2, 4], [9, 18]]
    assert rows_at(noted, find, 1, 5, 9) == [[1, 2], [5, 10], [9, 18]]
    assert rows_at(noted, find) == []
    assert find.asked == [2, 5, 1, 9]


def test_another_judge_finds_anew():
    """What the one found is not taken for what the other finds, of as many numbers or not."""
    noted, find = CachedSignals(), Finding()
    rows_at(noted, find, 0, 1)
    assert rows_at(noted, lambda at: np.ones((len(at), 3)), 1, judge=object()) == [[1, 1, 1]]
