"""Checks of texts before they are embedded, and of vectors before they are used. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..model.errors import EmbeddingError
from ..model.types import Vectors


def check(vectors: Vectors, *, most: int, dim: int, least: int = 1) -> None:
    """Return if these are `least` to `most` finite rows of length `dim`. Raises EmbeddingError."""
    if vectors.shape[1:] != (dim,):
        raise EmbeddingError(f"embeddings have shape {vectors.shape}, configured is dim={dim}")
    if not least <= len(vectors) <= most:
        raise EmbeddingError(f"asked for {most} embeddings, got {len(vectors)}")
    if not np.isfinite(vectors).all():
        raise EmbeddingError("an embedding is zero or not finite")


def normalised(rows: Sequence[Sequence[float]], *, count: int, dim: int) -> Vectors:
    """The rows of an answer as normalised ``float32[count, dim]``.

    Raises:
        EmbeddingError: wrong number, wrong length, not finite, or a zero vector.
    """
    if len(rows) != count:
        raise EmbeddingError(f"asked for {count} embeddings, got {len(rows)}")
    try:
        vectors = np.asarray(rows, np.float64)
    except (ValueError, TypeError):
        raise EmbeddingError("embeddings are not equally long lists of numbers") from None
    if vectors.shape != (count, dim):
        raise EmbeddingError(f"embeddings have shape {vectors.shape}, configured is dim={dim}")
    with np.errstate(over="ignore"):  # an infinite norm is refused below
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.isfinite(norms).all() or not norms.all():
        raise EmbeddingError("an embedding is zero or not finite")
    rows32: Vectors = (vectors / norms).astype(np.float32)
    return rows32


def fit(text: str, max_chars: int) -> str:
    """At most `max_chars` characters of `text`, valid in UTF-8.

    The text is cut first: a tokenizer would read a whole megabyte before it truncates. Surrogate
    pairs (two halves, as some JSON writers leave them) are joined, lone ones become U+FFFD.
    """
    cut = text[:max_chars]
    try:
        cut.encode()
    except UnicodeEncodeError:
        return cut.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return cut
