"""The vectors of example sentences that are shipped, and when they are not used."""

import numpy as np
import pytest

from recollect.memory.calibration import SAFE
from recollect.memory.embedders import FakeEmbedder, LocalEmbedderOptions, open_embedder
from recollect.memory.recall.example_vectors import ExampleVectors
from recollect.memory.recall.examples import REMARKS, WISHES
from recollect.memory.recall.prototypes import Prototypes
from tests.support.folding import rows

PAIR, USE = "all-MiniLM-L6-v2+use-multilingual-v3", "use-multilingual-v3"


class CountingEmbedder:
    """One of this name that counts the texts it embeds."""

    def __init__(self, name, dim):
        self.id, self.dim = name, dim
        self.asked = 0

    async def embed(self, texts):
        self.asked += len(texts)
        return np.ones((len(texts), self.dim), np.float32)


@rows("name, dim", [(PAIR, 896), (USE, 512)])
async def test_a_start_embeds_no_example(name, dim):
    """Every sentence is in the file; run `tools/embed_examples.py` if one is not."""
    embedder = CountingEmbedder(name, dim)
    await Prototypes.of(embedder, SAFE)
    assert embedder.asked == 0


@pytest.mark.parametrize("name", ["pair", "use"])
async def test_they_are_the_embedders_own(models_dir, name):
    """Half of the numbers' precision changes no cosine by more than 0.0001."""
    options = LocalEmbedderOptions(model=name, model_dir=models_dir)
    embedder = await open_embedder(options)
    examples = ExampleVectors(embedder)
    for texts in (WISHES[:20], REMARKS):
        own = (await embedder.embed(texts))[:, examples.part]
        own /= np.linalg.norm(own, axis=1, keepdims=True)
        kept = await examples.of(texts)
        assert np.abs(kept @ own.T - own @ own.T).max() < 1e-4
        assert np.allclose(np.linalg.norm(kept, axis=1), 1.0)
    await embedder.close()


async def test_a_sentence_that_is_not_in_the_file():
    """It is embedded, with the others of its call."""
    embedder = CountingEmbedder(USE, 512)
    assert (await ExampleVectors(embedder).of([*REMARKS, "A new one."])).shape == (
        len(REMARKS) + 1,
        512,
    )
    assert embedder.asked == len(REMARKS) + 1


async def test_another_embedder_embeds_them():
    """The vectors are those of USE and mean nothing among others."""
    embedder = FakeEmbedder()
    kept = await ExampleVectors(embedder).of(REMARKS)
    assert np.allclose(kept, await embedder.embed(REMARKS), atol=1e-6)
