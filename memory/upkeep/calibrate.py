"""Measures the cosines of labelled pairs with an embedder."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..calibration import Label, Measured, Pair
from ..embedders import CachedEmbedder
from ..ports import Embedder

BATCH_PAIRS = 32
"""Pairs embedded in one call; progress is reported after each."""


async def measure(
    embedder: Embedder,
    pairs: Sequence[Pair],
    *,
    on_progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Measured:
    """Embed all pairs; `on_progress` gets the numbers done and in total. Raises EmbeddingError."""
    embedder = CachedEmbedder(embedder)  # a text may occur in many pairs
    cosines = np.zeros(len(pairs))
    for start in range(0, len(pairs), BATCH_PAIRS):
        batch = pairs[start : start + BATCH_PAIRS]
        cosines[start : start + len(batch)] = await _cosines(embedder, batch)
        on_progress(start + len(batch), len(pairs))
    labels = np.array([pair.label.value for pair in pairs])
    return Measured(**{label.value: cosines[labels == label.value] for label in Label})


async def _cosines(embedder: Embedder, pairs: Sequence[Pair]) -> list[float]:
    """The cosine of each pair; each distinct text is embedded once."""
    texts = list(dict.fromkeys(text for pair in pairs for text in (pair.one, pair.other)))
    vectors = dict(zip(texts, await embedder.embed(texts), strict=True))
    return [float(vectors[pair.one] @ vectors[pair.other]) for pair in pairs]
