"""Vectors that are none, and texts that no model takes."""

import numpy as np
import pytest

from recollect.memory.embedders.checks import fit, normalised
from recollect.memory.model.errors import EmbeddingError
from tests.support.folding import rows

NAN = float("nan")


@rows(
    "answer, says",
    [
        ([], "got 0"),
        ([[1.0], [1.0, 2.0]], "equally long"),
        ([["x", 1.0], [1.0, 2.0]], "equally long"),
        ([[1.0], [1.0]], "dim=2"),
        ([[], []], "dim=2"),
        ([[1.0, 2.0], [0.0, 0.0]], "zero"),
        ([[1.0, 2.0], [NAN, 0.0]], "finite"),
        ([[1.0, 2.0], [1e300, 1e300]], "finite"),
        ([[3, 4], [0, 1e-30]], None),
    ],
)
def test_answers_that_are_no_embeddings(answer, says):
    """Ragged, empty, zero, infinite or too few rows are refused; others get unit length."""
    if says is None:
        vectors = normalised(answer, count=2, dim=2)
        assert np.allclose(vectors, [[0.6, 0.8], [0, 1]])
        assert vectors.dtype == np.float32
        return
    with pytest.raises(EmbeddingError, match=says):
        normalised(answer, count=2, dim=2)


@rows(
    "text, limit, expected",
    [
        ("plain 日本語", 100, "plain 日本語"),
        ("\ud83d\ude00", 100, "😀"),
        ("a\ud83db", 100, "a\ufffdb"),
        ("\ude00", 100, "\ufffd"),
        ("", 100, ""),
        ("abcdef", 3, "abc"),
        ("ab\ud83d\ude00", 3, "ab\ufffd"),
    ],
)
def test_a_text_is_made_fit(text, limit, expected):
    """Cut at the limit; pairs of surrogates are joined, also one cut in two, lone halves replaced."""
    assert fit(text, limit) == expected
