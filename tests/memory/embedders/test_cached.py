import asyncio

import numpy as np
import pytest

from recollect.memory.embedders import CachedEmbedder, FakeEmbedder
from recollect.memory.model.errors import EmbeddingError
from tests.support.folding import rows

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
    """A text is embedded once, also if one call names it twice; answers are the caller's own."""
    inner = Counting()
    cached = CachedEmbedder(inner)
    first = await cached.embed(["a", "b", "a"])
    expected, first[:] = first.copy(), 0
    await cached.embed(["b", "c"])
    await cached.embed(["a", "c"])
    assert inner.asked == [["a", "b"], ["c"]]
    assert np.array_equal(await cached.embed(["a", "b", "a"]), expected)
    assert (cached.id, cached.dim) == (inner.id, inner.dim)
    await cached.close()
    assert inner._closed


async def test_least_recently_used_goes():
    """The cache is bounded, using a text keeps it, and one call may be larger than the cache."""
    inner = Counting()
    cached = CachedEmbedder(inner, max_entries=2)
    for text in ("a", "b", "a", "c", "a", "b"):
        await cached.embed([text])
    assert inner.asked == [["a"], ["b"], ["c"], ["b"]]
    texts = ["a", "b", "c", "d"]
    assert np.array_equal(await cached.embed(texts), await FakeEmbedder().embed(texts))
    inner, nothing = Counting(), ["a"]
    cached = CachedEmbedder(inner, max_entries=0)
    for _ in range(2):
        assert np.array_equal(await cached.embed(nothing), await FakeEmbedder().embed(nothing))
    assert inner.asked == [["a"], ["a"]]


class Held(Counting):
    """Answers when the test lets it."""

    def __init__(self):
        super().__init__()
        self.go = asyncio.Event()
        self.error = None

    async def embed(self, texts):
        self.asked.append(list(texts))
        await self.go.wait()
        if self.error is not None:
            raise self.error
        return await FakeEmbedder.embed(self, texts)


async def begin(cached, *texts):
    """A call that has begun to wait."""
    call = asyncio.ensure_future(cached.embed(list(texts)))
    for _ in range(3):
        await asyncio.sleep(0)
    return call


async def test_a_text_under_way_is_not_asked_for_again():
    """Calls that miss the same text at the same time share one answer, also among other texts."""
    inner = Held()
    cached = CachedEmbedder(inner, max_entries=1)
    calls = [await begin(cached, *texts) for texts in ("a", "a", "bac", "cb")]
    assert inner.asked == [["a"], ["b", "c"]]
    inner.go.set()
    answers = await asyncio.gather(*calls)
    for texts, vectors in zip(("a", "a", "bac", "cb"), answers, strict=True):
        assert np.array_equal(vectors, await FakeEmbedder().embed(list(texts)))
    assert not cached._flying


async def test_who_asked_first_may_leave():
    """One of those that waited asks instead; who only waits cancels nothing by leaving."""
    inner = Held()
    cached = CachedEmbedder(inner)
    first, second, third, fourth = [await begin(cached, "a") for _ in range(4)]
    fourth.cancel()
    first.cancel()
    for _ in range(5):
        await asyncio.sleep(0)
    assert inner.asked == [["a"], ["a"]]
    inner.go.set()
    assert np.array_equal(await second, await third)
    assert first.cancelled()
    assert fourth.cancelled()
    assert not cached._flying


async def test_an_error_is_shared_by_those_who_wait():
    """A failing server is asked once for a text many wait for, and asked again by the next."""
    inner = Held()
    inner.error = EmbeddingError("down")
    cached = CachedEmbedder(inner)
    calls = [await begin(cached, "a") for _ in range(3)]
    inner.go.set()
    for outcome in await asyncio.gather(*calls, return_exceptions=True):
        assert isinstance(outcome, EmbeddingError)
        assert "down" in str(outcome)
    assert inner.asked == [["a"]]
    inner.error = None
    assert (await cached.embed(["a"])).shape == (1, 384)


@rows(
    "rows, says",
    [
        (np.full((1, 384), np.nan, np.float32), "not finite"),
        (np.zeros((0, 384), np.float32), "got 0"),
        (np.zeros((2, 384), np.float32), "got 2"),
        (np.ones((1, 383), np.float32), "dim=384"),
    ],
)
async def test_nonsense_goes_no_further(rows, says):
    """Whatever is wrapped: vectors of the wrong shape or not finite are refused and not kept."""

    class Odd(FakeEmbedder):
        async def embed(self, texts):
            return rows if rows is not None else await super().embed(texts)

    cached = CachedEmbedder(Odd())
    with pytest.raises(EmbeddingError, match=says):
        await cached.embed(["a"])
    rows = None
    assert (await cached.embed(["a"])).shape == (1, 384)


async def test_forgetting_empties_the_cache():
    """Nobody can tell whose text a digest is of, so nothing of anybody's stays."""
    counting = Counting()
    embedder = CachedEmbedder(counting)
    await embedder.embed(["a", "b"])
    embedder.forget("local", "m1")
    await embedder.embed(["a"])
    assert len(counting.asked) == 2


class Opposite(FakeEmbedder):
    """An embedder whose queries have the opposite vectors, and which counts them."""

    asked = 0

    async def embed_queries(self, texts):
        self.asked += len(texts)
        return -await self.embed(texts)


async def test_a_query_is_kept_apart():
    """The same words asked and stored have two vectors, and each is computed once."""
    inner = Opposite()
    cached = CachedEmbedder(inner)
    for _ in range(3):
        [text], [query] = await cached.embed(["tea"]), await cached.embed_queries(["tea"])
        assert np.allclose(query, -text)
    assert inner.asked == 1
