"""Two models in one vector: their vectors end to end, scaled so that the whole has unit length."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...model.types import Vectors
from .model import MiniLM
from .use import UniversalEncoder

HALVES = (MiniLM.dim, UniversalEncoder.dim)
"""Numbers of each half."""


@dataclass(frozen=True, slots=True)
class Both:
    """A text in the tokens of both models."""

    first: Sequence[int]
    second: Sequence[int]

    def __len__(self) -> int:
        """What bounds a run."""
        return max(len(self.first), len(self.second))


class ModelPair:
    """MiniLM and USE. Its methods block and are safe in several threads.

    The cosine of two vectors is the mean of the two models' cosines.
    """

    dim = sum(HALVES)

    def __init__(self, first: MiniLM, second: UniversalEncoder) -> None:
        self._first = first
        self._second = second

    def tokenize(self, texts: Sequence[str]) -> list[Both]:
        """Token ids of each text, truncated to the models' maximum length."""
        pairs = zip(self._first.tokenize(texts), self._second.tokenize(texts), strict=True)
        return [Both(*pair) for pair in pairs]

    def run(self, texts: Sequence[Both]) -> Vectors:
        """Embed tokenised texts as one batch. Raises EmbeddingError."""
        first = self._first.run([text.first for text in texts])
        second = self._second.run([text.second for text in texts])
        whole: Vectors = np.concatenate([first, second], axis=1)
        whole /= np.float32(math.sqrt(2))
        return whole

    def close(self) -> None:
        """Release both; later calls are errors."""
        self._first.close()
        self._second.close()
