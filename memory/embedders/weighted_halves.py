"""Weighs the halves of the pair by the language of a query.

A stored vector is ``[m1 || m2]``, each half of the same length. A query ``[q1 || b * q2]`` has with
it a cosine in proportion to ``cos1 + b * cos2``: one search, whatever the language, and nothing is
stored twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from types import MappingProxyType

import numpy as np

from ..language import language_of
from ..model.ports import Embedder
from ..model.types import Vector, Vectors
from .local import HALVES, id_of

ENGLISH_LIKE = 0.4
"""How much USE counts beside MiniLM in English and in every language that is not listed."""
_KNOWN, _FAR = 1.0, 2.0
"""MiniLM knows some words of the first kind of language and none of the second."""
SECOND = MappingProxyType(
    dict.fromkeys(("de", "es", "fr", "it", "nl", "pl", "pt", "ru", "tr"), _KNOWN)
    | dict.fromkeys(("ar", "ja", "ko", "th", "zh"), _FAR)
)
"""The same for the other languages of USE, by ISO 639-1.

Evidence among the five nearest memories (docs/decisions.md; our own development rows), in
percent; from 0.7 on, differences within a language are of one or two questions. Thai has no rows.

  second half counts    0    .2   .35   .5    .7    1    2   alone
  de es fr it nl pl     67   76   80   85    86    87   85   83    the mean of the languages
  pt ru tr              65   71   75   79    79    83   90   87
  ar ja ko zh           59   69   69   72    80   84   91   95
"""


class WeightedHalves:
    """An embedder of two halves whose queries lean on the half that knows their language.

    `close` closes the inner one.
    """

    def __init__(self, inner: Embedder, halves: tuple[int, int]) -> None:
        """`halves` are the numbers of each."""
        self.id, self.dim = inner.id, inner.dim
        self._inner = inner
        self._halves = halves

    async def embed(self, texts: Sequence[str]) -> Vectors:
        return await self._inner.embed(texts)

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return self.feedback_share(texts, await self._inner.embed(texts))

    def feedback_share(self, texts: Sequence[str], vectors: Vectors) -> Vectors:
        """The vectors of these texts as queries, of their vectors as stored texts."""
        if not len(texts):
            return vectors
        weights = np.stack([weights_for(language_of(text), self._halves) for text in texts])
        return vectors * weights

    async def close(self) -> None:
        await self._inner.close()


def across_languages(embedder_id: str) -> slice:
    """The numbers of a vector by which texts of two languages are compared: all, or USE's half."""
    return slice(HALVES[0] if embedder_id == id_of("pair") else 0, None)


def is_of_use(embedder_id: str) -> bool:
    """Whether what `across_languages` selects is a vector of USE."""
    return embedder_id == id_of("use") or across_languages(embedder_id).start > 0


@cache
def weights_for(language: str, halves: tuple[int, int]) -> Vector:
    """What each number of a query is multiplied by, so that the whole keeps its length."""
    second = SECOND.get(language, ENGLISH_LIKE)
    both = np.array([1.0, second]) * np.sqrt(2.0 / (1.0 + second * second))
    return np.repeat(both, halves).astype(np.float32)
