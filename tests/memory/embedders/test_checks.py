"""Vectors that are none, and texts that no model takes."""

import numpy as np
import pytest

from recollect.memory.embedders.checks import check, fit, normalised
from recollect.memory.model.errors import EmbeddingError
from tests.support.folding import rows

NAN, INF = float("nan"), float("inf")


@rows(
    "vectors, says",
    [
        (np.ones((1, 3)), "got 1"),
        (np.ones((4, 3)), "got 4"),
        (np.ones((2, 4)), "dim=3"),
        (np.ones(3), "dim=3"),
        (np.ones((2, 3, 1)), "dim=3"),
        (np.array([[1, 1, 1], [1, -INF, 1]]), "not finite"),
        (np.ones((2, 3)), None),
        (np.ones((3, 3)), None),
    ],
)
def test_vectors_of_another_shape(vectors, says):
    """What is not as many finite rows of that length as were asked for is an EmbeddingError."""
    if says is None:
        check(vectors, least=2, most=3, dim=3)
        return
    with pytest.raises(EmbeddingError, match=says):
        check(vectors, least=2, most=3, dim=3)


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
