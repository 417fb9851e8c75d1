"""What every embedder promises. A subclass provides an `embedder` fixture."""

import asyncio

import numpy as np
import pytest

from memory.errors import EmbeddingError

AWKWARD = [
    "",
    "   \n\t ",
    "…!?",
    "\x00\x07",
    "lone \ud83d surrogate",
    "\udc00",
    "👩‍🚀 e\u0301 \u202eabc",
    "用户住在东京",
    "a" * 1_000_000,
    "many words " * 100_000,
]


class EmbedderContract:
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

    async def test_order_is_kept(self, embedder):
        """Each row belongs to the text at its place, whatever the lengths and however many."""
        texts = [f"{'fact ' * (i * 7 % 23)}number {i}" for i in range(75)]
        together = await embedder.embed(texts)
        for i in (0, 1, 37, 74):
            alone = (await embedder.embed([texts[i]]))[0]
            assert np.allclose(together[i], alone, atol=1e-5)

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
        assert np.allclose(np.concatenate(apart), await embedder.embed(texts), atol=1e-5)

    async def test_named(self, embedder):
        """The id is a non-empty name of the model."""
        assert embedder.id.strip()

    async def test_closed(self, embedder):
        """After close, which may be called twice, a call is an EmbeddingError."""
        await embedder.close()
        await embedder.close()
        with pytest.raises(EmbeddingError, match="closed"):
            await embedder.embed(["late"])
