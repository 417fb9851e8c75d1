"""Measures the cosines of labelled pairs with an embedder."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from ..calibration import RECALL, Cosines, Label, Measured, Pair
from ..embedders import CachedEmbedder, embed_queries
from ..language import language_of
from ..language.detect import UNKNOWN
from ..model.ports import Embedder

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
    by_label = {label: cosines[labels == label.value] for label in Label}
    return Measured(
        relevant=by_label[Label.RELEVANT],
        unrelated=by_label[Label.UNRELATED],
        same=by_label[Label.SAME],
        update=by_label[Label.UPDATE],
        different=by_label[Label.DIFFERENT],
        languages=_by_language(pairs, labels, cosines),
    )


def _by_language(
    pairs: Sequence[Pair], labels: npt.NDArray[np.str_], cosines: Cosines
) -> dict[str, tuple[Cosines, Cosines]]:
    """The relevant and the unrelated cosines by the language of the memory."""
    spoken = np.array([language_of(pair.other) for pair in pairs])
    relevant, unrelated = (labels == label.value for label in RECALL)
    known = sorted(set(spoken[relevant | unrelated]) - {UNKNOWN})
    return {
        str(code): (cosines[relevant & (spoken == code)], cosines[unrelated & (spoken == code)])
        for code in known
    }


async def _cosines(embedder: Embedder, pairs: Sequence[Pair]) -> list[float]:
    """The cosine of each pair, of a query and a memory or of two; a text is embedded once."""
    asked = list(dict.fromkeys(pair.one for pair in pairs if pair.label in RECALL))
    told = list(dict.fromkeys(text for pair in pairs for text in _stored(pair)))
    queries = dict(zip(asked, await embed_queries(embedder, asked), strict=True))
    texts = dict(zip(told, await embedder.embed(told), strict=True))
    return [
        float((queries if pair.label in RECALL else texts)[pair.one] @ texts[pair.other])
        for pair in pairs
    ]


def _stored(pair: Pair) -> tuple[str, ...]:
    return (pair.other,) if pair.label in RECALL else (pair.one, pair.other)
