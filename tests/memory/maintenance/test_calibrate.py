"""Cosines of labelled pairs."""

import pytest

from recollect.memory.calibration import Label, Pair
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.maintenance import measure
from recollect.memory.maintenance.calibrate import BATCH_PAIRS
from recollect.memory.model.errors import EmbeddingError


def pair(label, n=0):
    return Pair(
        f"green tea {n}", f"green tea {n}" if label is Label.SAME else f"old car {n}", label
    )


async def test_each_cosine_is_with_its_label():
    """Over several batches every pair is measured, in its own group."""
    pairs = [pair(label, n) for n in range(BATCH_PAIRS) for label in Label]
    seen = []
    measured = await measure(FakeEmbedder(), pairs, on_progress=lambda *at: seen.append(at))
    assert measured.counts() == dict.fromkeys(measured.counts(), BATCH_PAIRS)
    assert measured.same == pytest.approx(1.0)
    assert measured.different.max() < 0.9
    assert seen == [(BATCH_PAIRS * n, len(pairs)) for n in range(1, len(Label) + 1)]


async def test_an_embedder_that_fails():
    """Its error is the caller's: half a measurement is none."""
    embedder = FakeEmbedder()
    await embedder.close()
    with pytest.raises(EmbeddingError):
        await measure(embedder, [pair(Label.SAME)])
