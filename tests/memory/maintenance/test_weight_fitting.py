"""Weights of evidence from an operator's own pairs."""

import numpy as np

from recollect.memory.calibration import Calibration, Label, Pair
from recollect.memory.calibration.weights import BUILT_IN
from recollect.memory.maintenance import refit

CALIBRATION = Calibration(recall=0.3, update=1.1, same=1.1, floor=0.1, ceiling=0.6)


class Topics:
    """Texts of one number mean the same; all others are unrelated."""

    id, dim = "topics", 64

    async def embed(self, texts):
        numbers = [int(text[1:]) for text in texts]
        return np.eye(self.dim, dtype=np.float32)[numbers]

    async def close(self):
        pass


PAIRS = [Pair(f"q{n}", f"m{n}", Label.RELEVANT) for n in range(40)]


async def test_what_meaning_tells_is_learned():
    """It counts more, and a little only: dozens of pairs do not overturn what thousands gave."""
    found = await refit(Topics(), PAIRS, CALIBRATION)
    assert BUILT_IN.near < found.near < BUILT_IN.near + 1
    assert found.words == BUILT_IN.words  # no question shares a word with a memory


async def test_without_relevant_pairs_nothing_changes():
    """Pairs of facts tell nothing about questions."""
    pairs = [Pair("green 1", "green 2", Label.SAME)]
    assert await refit(Topics(), pairs, CALIBRATION) is BUILT_IN
