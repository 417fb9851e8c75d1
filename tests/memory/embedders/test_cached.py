import numpy as np
import pytest

from memory.embedders import CachedEmbedder, FakeEmbedder
from memory.errors import EmbeddingError

from .contract import EmbedderContract


class Counting(FakeEmbedder):
    """Notes what it was asked for."""

    def __init__(self):
        super().__init__()
        self.asked = []

    async def embed(self, texts):
        self.asked.append(list(texts))
        return await super().embed(texts)


class TestContract(EmbedderContract):
    @pytest.fixture
    def embedder(self):
        return CachedEmbedder(FakeEmbedder())


async def test_asks_only_for_what_is_new():
    """A text is embedded once, also if one call names it twice."""
    inner = Counting()
    cached = CachedEmbedder(inner)
    await cached.embed(["a", "b", "a"])
    await cached.embed(["b", "c"])
    await cached.embed(["a", "c"])
    assert inner.asked == [["a", "b"], ["c"]]


async def test_least_recently_used_goes():
    """The cache is bounded, and using a text keeps it."""
    inner = Counting()
    cached = CachedEmbedder(inner, max_entries=2)
    for text in ("a", "b", "a", "c", "a", "b"):
        await cached.embed([text])
    assert inner.asked == [["a"], ["b"], ["c"], ["b"]]


async def test_more_texts_than_entries():
    """One call may be larger than the cache."""
    cached = CachedEmbedder(FakeEmbedder(), max_entries=2)
    texts = ["a", "b", "c", "d"]
    assert np.array_equal(await cached.embed(texts), await FakeEmbedder().embed(texts))


async def test_answers_are_the_callers_own():
    """Changing an answer does not change the cache."""
    cached = CachedEmbedder(FakeEmbedder())
    first = await cached.embed(["a"])
    expected = first.copy()
    first[:] = 0
    assert np.array_equal(await cached.embed(["a"]), expected)


async def test_failures_are_not_remembered():
    """After a failure the text is asked for again."""

    class Broken(Counting):
        async def embed(self, texts):
            if not self.asked:
                self.asked.append([])
                raise EmbeddingError("down")
            return await super().embed(texts)

    cached = CachedEmbedder(Broken())
    with pytest.raises(EmbeddingError, match="down"):
        await cached.embed(["a"])
    assert (await cached.embed(["a"])).shape == (1, 384)
