"""Topics and constraints by meaning."""

from dataclasses import replace

import numpy as np
import pytest

from recollect.memory.calibration import SAFE
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.recall.prototypes import CONSTRAINTS, REQUESTS, STATEMENTS, Prototypes

KNOWN = replace(SAFE, floor=0.2, ceiling=0.8)


async def test_an_unknown_embedder_has_none():
    """Without known cosines nothing is near."""
    assert await Prototypes.of(FakeEmbedder(), SAFE) is None


@pytest.fixture
async def prototypes():
    return await Prototypes.of(FakeEmbedder(), KNOWN)


async def test_a_request_is_of_its_own_topic(prototypes):
    """And a constraint bears on what stands beside it."""
    embedder = FakeEmbedder()
    [request] = await embedder.embed([REQUESTS["food"][0]])
    assert "food" in prototypes.asked(request)
    text, topics = next(iter(CONSTRAINTS.items()))
    [constraint] = await embedder.embed([text])
    assert set(topics.split()) <= prototypes.borne_on(constraint)


async def test_other_statements_bear_on_nothing(prototypes):
    """Neither does a text that is not embedded yet."""
    for vector in await FakeEmbedder().embed(STATEMENTS):
        assert prototypes.borne_on(vector) == frozenset()
    assert prototypes.borne_on(np.zeros_like(vector)) == frozenset()
