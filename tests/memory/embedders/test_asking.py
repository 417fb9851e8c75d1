import numpy as np

from recollect.memory.embedders import FakeEmbedder, embed_queries


class Opposite(FakeEmbedder):
    """An embedder whose queries have the opposite vectors."""

    async def embed_queries(self, texts):
        return -await self.embed(texts)


async def test_an_embedder_that_asks_apart():
    """It is asked for the vectors of queries."""
    embedder = Opposite()
    assert np.allclose(await embed_queries(embedder, ["a"]), -await embedder.embed(["a"]))


async def test_any_other_embedder():
    """A query is a text like others."""
    embedder = FakeEmbedder()
    assert np.allclose(await embed_queries(embedder, ["a"]), await embedder.embed(["a"]))
