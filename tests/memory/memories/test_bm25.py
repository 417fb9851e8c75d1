"""How words are ranked."""

from __future__ import annotations

import math

import pytest

from recollect.memory.memories.bm25 import K1, B, scores


def test_score_is_the_published_formula():
    """Rarity times saturated, length-normalised frequency; terms count once, nothing scores nothing."""
    having = {1: ["tea", "tea"], 2: ["tea", "milk", "cake", "cup"], 3: ["milk"]}
    found = scores(having, ["tea", "tea"], rows=3, mean=7 / 3)
    rarity = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    length = 1 - B + B * 2 / (7 / 3)
    assert found[1] == pytest.approx(rarity * 2 * (K1 + 1) / (2 + K1 * length))
    assert found[1] > found[2] > found[3] == 0
    assert scores({1: [], 2: []}, ["tea"], rows=2, mean=0) == {1: 0.0, 2: 0.0}
    assert scores({}, ["tea"], rows=0, mean=0) == {}
