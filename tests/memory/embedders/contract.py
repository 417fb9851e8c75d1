"""What every embedder promises. A subclass provides an `embedder` fixture."""

import asyncio

import numpy as np
import pytest

from recollect.memory.embedders import embed_queries
from recollect.memory.model.errors import EmbeddingError

AWKWARD = [
    "",
    "   \n\t ",
    "…!?",
    "\x00\x07",
    "lone \ud83d surrogate",
    "\udc00",
    "👩‍🚀 e\u0301 \u202eabc",
    "用户住在东京",
    "👍👍🏽🫠",
    "\u200b\ufeff\u2060",
    "مرحبا \u202eשלום",
    bytes(range(256)).decode("latin-1") * 8,
    "\ufffd\x1b[31m\x00PK\x03\x04" * 50,
    "def f(x):\n\treturn {'a': [x, *range(9)]}",
    "a" * 1_000_000,
    "many words " * 100_000,
]


class EmbedderContract:
    atol = 1e-5
    """How much a text's vector may depend on what it is embedded together with."""

    async def test_shape_and_type(self, embedder):
        """There is one row of float32 per text."""
        vectors = await embedder.embed(["one", "two", "three"])
        assert vectors.shape == (3, embedder.dim)
        assert vectors.dtype == np.float32

    async def test_no_texts(self, embedder):
        """No texts give an empty array of the right width, not an error."""
        vectors = await embedder.embed([])
        assert vectors.shape == (0, embedder.dim)
        assert vectors.dtype == np.float32

    async def test_normalised_and_finite_for_any_text(self, embedder):
        """Empty, broken, foreign and huge texts all give unit vectors."""
        vectors = await embedder.embed(AWKWARD)
        assert np.isfinite(vectors).all()
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)

    async def test_any_query(self, embedder):
        """Queries have unit vectors too, comparable with those of stored texts."""
        asked = await embed_queries(embedder, AWKWARD)
        assert asked.shape == (len(AWKWARD), embedder.dim)
        assert asked.dtype == np.float32
        assert np.allclose(np.linalg.norm(asked, axis=1), 1.0, atol=1e-5)
        assert (await embed_queries(embedder, [])).shape == (0, embedder.dim)
        [tea] = await embed_queries(embedder, ["What green tea does the user like?"])
        near, far = await embedder.embed(["User likes green tea", "Rust compiles code"])
        assert tea @ near > tea @ far

    async def test_order_is_kept(self, embedder):
        """Each row belongs to the text at its place, whatever the lengths and however many."""
        texts = [f"{'fact ' * (i * 7 % 23)}number {i}" for i in range(75)]
        together = await embedder.embed(texts)
        for i in (0, 1, 37, 74):
            alone = (await embedder.embed([texts[i]]))[0]
            assert np.allclose(together[i], alone, atol=self.atol)

    async def test_same_text_same_vector(self, embedder):
        """The same text is always the same point."""
        first, second = await embedder.embed(["User likes tea", "User likes tea"])
        assert np.allclose(first, second, atol=1e-6)

    async def test_shared_words_are_near(self, embedder):
        """Texts about the same are nearer than texts about something else."""
        texts = ["User likes green tea", "What green tea does the user like?", "Rust compiles code"]
        a, b, c = await embedder.embed(texts)
        assert a @ b > a @ c

    async def test_concurrent_calls(self, embedder):
        """Calls at the same time do not mix their texts up."""
        texts = [f"user number {i} likes {i} cats" for i in range(12)]
        apart = await asyncio.gather(*(embedder.embed([text]) for text in texts))
        assert np.allclose(np.concatenate(apart), await embedder.embed(texts), atol=self.atol)

    @pytest.mark.parametrize("text", AWKWARD, ids=range(len(AWKWARD)))
    async def test_any_question(self, embedder, text):
        """Whatever somebody asks, alone it is the same unit vector as among others."""
        alone = await embedder.embed([text])
        assert np.isfinite(alone).all()
        assert np.allclose(np.linalg.norm(alone, axis=1), 1.0, atol=1e-5)
        among = await embedder.embed(["before", text, "after"])
        assert np.allclose(alone[0], among[1], atol=self.atol)

    async def test_leaving_harms_nobody(self, embedder):
        """Calls that are cancelled at any moment leave the others their own vectors."""
        texts = [f"user number {i} likes {i} cats" for i in range(30)]
        calls = [asyncio.ensure_future(embedder.embed([text])) for text in texts]
        for turns, call in enumerate(calls[::3]):
            for _ in range(turns):
                await asyncio.sleep(0)
            call.cancel()
        done = await asyncio.gather(*calls, return_exceptions=True)
        expected = await embedder.embed(texts)
        for got, vector in zip(done, expected, strict=True):
            assert isinstance(got, asyncio.CancelledError) or np.allclose(
                got[0], vector, atol=self.atol
            )
        assert sum(isinstance(got, np.ndarray) for got in done) >= 20

    async def test_questions_beside_bulk(self, embedder):
        """Questions asked while much is stored get their own vectors, and so does what is stored."""
        bulk = [f"fact number {i}: {'word ' * (i % 40)}" for i in range(60)]
        stored, *asked = await asyncio.gather(
            embedder.embed(bulk), *(embedder.embed([text]) for text in bulk[::10])
        )
        assert np.allclose(stored[::10], np.concatenate(asked), atol=self.atol)

    async def test_named(self, embedder):
        """The id is a non-empty name of the model."""
        assert embedder.id.strip()

    async def test_closed(self, embedder):
        """After close, which may be called twice, a call is an EmbeddingError."""
        await embedder.close()
        await embedder.close()
        with pytest.raises(EmbeddingError, match="closed"):
            await embedder.embed(["late"])
