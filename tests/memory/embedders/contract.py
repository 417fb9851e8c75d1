"""What every embedder promises. A subclass provides an `embedder` fixture."""

import asyncio

import numpy as np
import pytest

from recollect.memory.embedders import embed_queries
from recollect.memory.model.errors import EmbeddingError

AWKWARD = [
    "",
    " \n\t \u3000",
    "…!?",
    "\x00\x07 \x1b[31m\u202e\ufeff\uffff",
    "lone \ud83d surrogate \udc00",
    "👩‍🚀 e\u0301 \u202eabc 👍🏽🫠",
    "Ich war im 超市 и купил хлеб for my أم",
    "Ninapenda kusoma vitabu jioni. ቡና እወዳለሁ።",
    "4711 0815 42 3,14 1e9 ٢٢٠٠ 一二三",
    "\u200b\u2060",
    bytes(range(256)).decode("latin-1") * 8,
    "<s> </s> <unk> [CLS] [SEP] \u2581",
    "def f(x):\n\treturn {'a': [x, *range(9)]}",
    "a" * 1_000_000,
    "字" * 30_000,
    "many words " * 100_000,
]


def near(vectors, others, atol):
    return np.allclose(vectors, others, atol=atol)


class EmbedderContract:
    atol = 1e-5
    """How much a text's vector may depend on what it is embedded together with."""

    async def test_any_text(self, embedder):
        """Stored or asked, alone or among others: one finite unit vector of float32 for each.

        None for no texts; and the embedder has a name.
        """
        assert embedder.id.strip()
        texts = [*AWKWARD, *AWKWARD[:2]]
        for embed in (embedder.embed, lambda texts: embed_queries(embedder, texts)):
            vectors = await embed(texts)
            assert (vectors.shape, vectors.dtype) == ((len(texts), embedder.dim), np.float32)
            assert near(np.linalg.norm(vectors, axis=1), 1.0, 1e-5)
            none = await embed([])
            assert (none.shape, none.dtype) == ((0, embedder.dim), np.float32)
            for text, vector in zip(AWKWARD, vectors, strict=False):
                [alone] = await embed([text])
                assert near(alone, vector, self.atol), text[:40]
            assert near(vectors[:2], vectors[-2:], self.atol)

    async def test_each_call_has_its_own(self, embedder):
        """In order, however many and however long, while others ask and much is stored."""
        texts = [f"{'fact ' * (i * 7 % 23)}number {i}" for i in range(75)]
        together, *asked = await asyncio.gather(
            embedder.embed(texts), *(embedder.embed([text]) for text in texts[::6])
        )
        assert near(together[::6], np.concatenate(asked), self.atol)
        assert near(together[::37], await embedder.embed(texts[::37]), self.atol)

    async def test_shared_words_are_near(self, embedder):
        """Texts about the same are nearer than texts about something else, asked or stored."""
        near, far = await embedder.embed(["User likes green tea", "Rust compiles code"])
        question = ["What green tea does the user like?"]
        for [tea] in (await embedder.embed(question), await embed_queries(embedder, question)):
            assert tea @ near > tea @ far

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
            assert isinstance(got, asyncio.CancelledError) or near(got[0], vector, self.atol)
        assert sum(isinstance(got, np.ndarray) for got in done) >= 20

    async def test_closed(self, embedder):
        """After close, which may be called twice, a call is an EmbeddingError."""
        await embedder.close()
        await embedder.close()
        with pytest.raises(EmbeddingError, match="closed"):
            await embedder.embed(["late"])
