"""The embedder of tests and of first tries, which needs no model."""

import numpy as np
import pytest

from recollect.memory.embedders.fake import FakeEmbedder, FakeEmbedderOptions

from .contract import EmbedderContract


class TestContract(EmbedderContract):
    @pytest.fixture
    def embedder(self):
        return FakeEmbedder(FakeEmbedderOptions(dim=32))


async def test_words_count_and_not_how_they_are_written():
    """Neither case nor punctuation matters, and forms of one word are near; the id has the length.

    A vector is the same in every process: folders are opened by others.
    """
    fake = FakeEmbedder()
    a, b = await fake.embed(["User likes TEA!", "user, likes tea"])
    assert np.allclose(a, b)
    a, b, c = await fake.embed(["programming", "programmer", "vegetables"])
    assert a @ b > 0.2 > abs(a @ c)
    assert (fake.id, fake.dim) == ("fake-words-384", 384)
    assert np.flatnonzero(a)[:5].tolist() == [23, 32, 64, 91, 174]
