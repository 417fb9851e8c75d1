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
        (np.array([[1, 1, 1], [1, NAN, 1]]), "not finite"),
        (np.array([[1, 1, 1], [1, -INF, 1]]), "not finite"),
    ],
)
def test_refused(vectors, says):
    """What is not as many finite rows of that length as were asked for is an EmbeddingError."""
    with pytest.raises(EmbeddingError, match=says):
        check(vectors, least=2, most=3, dim=3)


def test_believed():
    """Any number of finite rows within the bounds is fine."""
    for count in (2, 3):
        check(np.ones((count, 3)), least=2, most=3, dim=3)


def test_rows_are_normalised():
    """Rows of any length become unit vectors of float32."""
    rows = normalised([[3, 4], [0, 1e-30]], count=2, dim=2)
    assert np.allclose(rows, [[0.6, 0.8], [0, 1]])
    assert rows.dtype == np.float32


@rows(
    "rows, says",
    [
        ([], "got 0"),
        ([[1.0], [1.0, 2.0]], "equally long"),
        ([["x", 1.0], [1.0, 2.0]], "equally long"),
        ([[1.0], [1.0]], "dim=2"),
        ([[], []], "dim=2"),
        ([[1.0, 2.0], [0.0, 0.0]], "zero"),
        ([[1.0, 2.0], [NAN, 0.0]], "finite"),
        ([[1.0, 2.0], [1e300, 1e300]], "finite"),
    ],
)
def test_answers_that_are_no_embeddings(rows, says):
    """Ragged, empty, zero, infinite or too few rows are refused."""
    with pytest.raises(EmbeddingError, match=says):
        normalised(rows, count=2, dim=2)


@rows(
    "text, expected",
    [
        ("plain", "plain"),
        ("日本語", "日本語"),
        ("\ud83d\ude00", "😀"),
        ("a\ud83db", "a\ufffdb"),
        ("\ude00", "\ufffd"),
        ("", ""),
    ],
)
def test_surrogates(text, expected):
    """Pairs are joined, lone halves replaced, everything else is left alone."""
    assert fit(text, 100) == expected


def test_cut():
    """Nothing beyond the limit is looked at, and a pair cut in two is repaired."""
    assert fit("abcdef", 3) == "abc"
    assert fit("ab\ud83d\ude00", 3) == "ab\ufffd"
