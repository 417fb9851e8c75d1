"""When words that differ mean the same, on the scale of an embedder."""

from recollect.memory.calibration import SAFE, Calibration
from recollect.memory.upkeep.consolidate.sameness import OtherWord
from recollect.memory.upkeep.consolidate.semantic_match import OTHER_WORD, are_one, cosine_of
from tests.support.folding import rows

SCALE = Calibration(recall=0.2, update=0.6, same=1.0, floor=0.0)
BOUGHT = OtherWord("bought", "purchased", respelled=False)
COLOUR = OtherWord("colour", "color", respelled=True)


def told(value, *words, calibration=SCALE):
    return are_one(words, lambda _one, _other: value, calibration)


@rows(
    "value, words, same",
    [
        (0.92, [BOUGHT], True),
        (0.90, [BOUGHT], False),
        (0.95, [COLOUR], False),
        (0.99, [COLOUR], True),
        (0.95, [BOUGHT, COLOUR], False),
        (1.0, [], False),
    ],
)
def test_each_word_must_mean_the_same(value, words, same):
    """A form of a word is nearer to it than a synonym, so another spelling must be nearer still."""
    assert told(value, *words) is same


def test_an_embedder_that_nobody_measured_decides_nothing():
    """Its cosines mean nothing."""
    assert cosine_of(OTHER_WORD, SAFE) > 1.0
    assert not told(1.0, BOUGHT, calibration=SAFE)
