"""Texts that are stored as they are, and an embedder that cannot take or tell apart some."""

import numpy as np
import pytest

from recollect.memory.embedders import FakeEmbedder
from recollect.memory.learn import Skipped, SkipReason
from recollect.memory.model.errors import EmbeddingError
from tests.support.folding import rows

from .doubles import Chokes
from .test_verbatim import World


async def test_texts_that_an_embedder_cannot_tell_apart():
    """Long documents may have one vector: the one with the same text is found among them."""

    class Blind(FakeEmbedder):
        async def embed(self, texts):
            vectors = np.zeros((len(texts), self.dim), np.float32)
            vectors[:, 0] = 1
            return vectors

    world = World(Blind())
    for number in range(40):
        await world.add(f"page {number}")
    for number in range(40):
        assert len((await world.add(f"page {number}")).skipped) == 1


@rows("dedupe", [True, False])
async def test_a_text_that_cannot_be_embedded_is_named(dedupe):
    """By the index of its message; the others are stored, and nothing is noted of it."""
    world = World(Chokes())
    stored = await world.add("tea", "poison", "", "milk", dedupe=dedupe)
    assert [event.new_memory for event in stored.events] == ["tea", "milk"]
    assert stored.skipped == [
        Skipped(1, SkipReason.NOT_EMBEDDED),
        Skipped(2, SkipReason.EMPTY),
    ]
    assert await world.texts() == ["milk", "tea"]
    with pytest.raises(EmbeddingError):
        await world.add("poison", dedupe=dedupe)
