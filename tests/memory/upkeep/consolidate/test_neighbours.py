"""Pairs of near vectors, found block by block."""

import numpy as np
import pytest

from recollect.memory.upkeep.consolidate import neighbours
from recollect.memory.upkeep.consolidate.neighbours import MOST_EACH, near_pairs


def unit(rows):
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


@pytest.mark.parametrize("block", [1, 7, 100])
def test_blocks_find_what_one_product_finds(monkeypatch, block):
    """Of the rows from one on, with each row before; whatever the size of a block."""
    monkeypatch.setattr(neighbours, "BLOCK", block)
    vectors = unit(np.random.default_rng(1).normal(size=(40, 6)))
    found = {(p.row, p.other) for some in near_pairs(vectors, 15, 0.7) for p in some}
    cosines = vectors @ vectors.T
    every = {(n, m) for n in range(15, 40) for m in range(n) if cosines[n, m] >= 0.7}
    assert found <= every
    for row in range(15, 40):
        own = sorted((m for n, m in every if n == row), key=lambda m: -cosines[row, m])
        assert {m for n, m in found if n == row} == set(own[:MOST_EACH])
