"""The reference formula."""

from __future__ import annotations

import math

import pytest

from recollect.memory.stores.inmemory.bm25 import K1, B, bm25


def test_score_is_the_published_formula():
    """Rarity times saturated, length-normalised frequency; terms count once, nothing scores nothing."""
    scores = bm25([["tea", "tea"], ["tea", "milk", "cake", "cup"], ["milk"]], ["tea"])
    rarity = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    length = 1 - B + B * 2 / (7 / 3)
    assert scores[0] == pytest.approx(rarity * 2 * (K1 + 1) / (2 + K1 * length))
    assert scores[0] > scores[1] > scores[2] == 0
    assert bm25([["tea"], ["milk", "tea"]], ["tea", "tea"]) == bm25(
        [["tea"], ["milk", "tea"]], ["tea"]
    )
    assert bm25([[], []], ["tea"]) == [0.0, 0.0]
    assert bm25([], ["tea"]) == []
