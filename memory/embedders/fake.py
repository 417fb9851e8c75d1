"""A deterministic embedder without weights, for tests and demos.

Feature hashing (Weinberger et al. 2009) of words and of their character trigrams: texts that share
words are near, texts that share word stems are a little near, others are about orthogonal. It
ignores meaning.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Literal

import numpy as np
from pydantic import Field

from ..model.errors import EmbeddingError
from ..model.options_base import Options
from ..model.types import Vector, Vectors
from .checks import fit

MAX_CHARS = 4096
WORD_WEIGHT, TRIGRAM_WEIGHT = 1.0, 0.3  # stems help a little, whole words decide
_WORD = re.compile(r"\w+")


class FakeEmbedderOptions(Options):
    """Options of the deterministic embedder for tests and demos."""

    backend: Literal["fake"] = Field(
        "fake", description="Hashed words instead of a model: for tests and demos only."
    )
    dim: int = Field(384, ge=16, le=4096, description="Length of the vectors.")


class FakeEmbedder:
    """Hashes words into vectors. Never fails, blocks for microseconds, has no dependencies."""

    def __init__(self, options: FakeEmbedderOptions | None = None) -> None:
        self.dim = (options or FakeEmbedderOptions()).dim
        self.id = f"fake-words-{self.dim}"
        self._closed = False

    async def embed(self, texts: Sequence[str]) -> Vectors:
        if self._closed:
            raise EmbeddingError("the embedder is closed")
        vectors = np.zeros((len(texts), self.dim), np.float32)
        for row, text in zip(vectors, texts, strict=True):
            row[:] = _vector(fit(text, MAX_CHARS).casefold(), self.dim)
        return vectors

    async def close(self) -> None:
        self._closed = True


@lru_cache(maxsize=1024)
def _vector(text: str, dim: int) -> Vector:
    """The vector of a text; read-only, because it is cached."""
    row: Vector = np.zeros(dim, np.float32)
    for feature, weight in _features(text):
        index, sign = _slot(feature, dim)
        row[index] += sign * weight
    if not row.any():  # no words, or features that cancelled each other out
        row[_slot("", dim)[0]] = 1.0
    row /= np.linalg.norm(row)
    row.setflags(write=False)
    return row


def _features(text: str) -> Iterator[tuple[str, float]]:
    for word in _WORD.findall(text):
        yield word, WORD_WEIGHT
        padded = f"^{word}$"
        for start in range(len(padded) - 2):
            yield f"#{padded[start : start + 3]}", TRIGRAM_WEIGHT


@lru_cache(maxsize=65_536)
def _slot(feature: str, dim: int) -> tuple[int, float]:
    """The index and sign of a feature; equal in every process, unlike `hash`."""
    value = int.from_bytes(hashlib.blake2b(feature.encode(), digest_size=8).digest(), "big")
    return (value >> 1) % dim, 1.0 if value & 1 else -1.0
