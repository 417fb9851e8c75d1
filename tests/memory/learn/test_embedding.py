"""Texts of which some cannot be embedded."""

import numpy as np
import pytest

from recollect.memory.embedders import FakeEmbedder
from recollect.memory.learn.embedding import each_embedded, unheard
from recollect.memory.model.errors import EmbeddingError

from .doubles import Chokes


class Down:
    """An embedder whose server is down."""

    calls = 0

    async def embed(self, texts):
        self.calls += 1
        raise EmbeddingError("down")


async def test_the_order_is_kept():
    """Each text comes with its own vector."""
    embedder, texts = FakeEmbedder(), ["tea", "a boat", "a cat"]
    np.testing.assert_allclose(await each_embedded(embedder, texts), await embedder.embed(texts))
    assert await each_embedded(embedder, []) == []


async def test_one_bad_text_costs_only_itself():
    """The others are embedded one by one."""
    found = await each_embedded(Chokes(), ["tea", "poison", "a cat"])
    assert [vector is None for vector in found] == [False, True, False]


@pytest.mark.parametrize("texts", [["poison"], ["poison one", "poison two"]])
async def test_if_none_can_be_embedded_that_is_raised(texts):
    """Nothing learned and an embedder that is down are told apart."""
    with pytest.raises(EmbeddingError):
        await each_embedded(Chokes(), texts)


async def test_a_server_that_is_down_is_not_asked_for_each():
    """One text that nobody knows tells it."""
    down = Down()
    with pytest.raises(EmbeddingError):
        await each_embedded(down, [str(number) for number in range(50)])
    assert down.calls == 2


def test_a_text_that_no_cache_has():
    """It is another one each time."""
    assert unheard() != unheard()
