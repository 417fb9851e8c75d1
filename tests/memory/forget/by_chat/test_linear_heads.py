"""Linear heads over vectors of USE."""

import numpy as np

from recollect.memory.forget.by_chat.linear_heads import LinearHeads

PAIR, USE = "all-MiniLM-L6-v2+use-multilingual-v3", "use-multilingual-v3"


def test_only_embedders_of_use_have_them():
    """The weights mean nothing among other vectors."""
    assert LinearHeads.of("fake") is None
    assert LinearHeads.of(USE) is not None


def test_a_vector_is_weighed_by_its_direction():
    """A query's halves have other lengths than a statement's."""
    signs = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    own = np.random.default_rng(1).normal(size=512).astype(np.float32)
    other = np.ones(384, np.float32)
    alone, pair = LinearHeads.of(USE), LinearHeads.of(PAIR)
    scores = {
        round(alone.score("asks", own, signs), 3),
        round(alone.score("asks", 3 * own, signs), 3),
        round(pair.score("asks", np.concatenate([other, 2 * own]), signs), 3),
    }
    assert len(scores) == 1
