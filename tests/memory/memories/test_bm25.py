"""How words are ranked."""

from __future__ import annotations

import math

import pytest

from recollect.memory.memories.bm25 import K1, B, scores


def test_score_is_the_published_formula():
    """Rarity times saturated, length-normalised frequency; nothing scores nothing."""
    found = scores([{0: 2, 1: 1}], [2, 4, 1])
    rarity = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    length = 1 - B + B * 2 / (7 / 3)
    assert found[0] == pytest.approx(rarity * 2 * (K1 + 1) / (2 + K1 * length))
    assert found[0] > found[1] > found[2] == 0
    assert scores([{0: 2}, {0: 2}], [2, 4, 1])[0] > found[0]
    assert scores([{}], [0, 0]).tolist() == [0.0, 0.0]
    assert scores([{}], []).tolist() == []
