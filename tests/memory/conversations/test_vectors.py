"""The vectors of passages."""

from __future__ import annotations

import numpy as np

from recollect.memory.conversations.vectors import AT_A_TIME, PassageVectors
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.model.types import Scope


class Counting(FakeEmbedder):
    def __init__(self):
        super().__init__()
        self.asked: list[int] = []

    async def embed(self, texts):
        self.asked.append(len(texts))
        return await super().embed(texts)


TEXTS = [f"text {number}" for number in range(40)]


async def test_a_vector_is_made_once():
    """Those that are known are not made again, for this tenant only."""
    embedder = Counting()
    vectors = PassageVectors(embedder)
    first = await vectors.of("t", TEXTS[:3], most=9, seconds=60)
    again = await vectors.of("t", TEXTS[:4], most=9, seconds=60)
    assert embedder.asked == [3, 1]
    assert all(np.array_equal(one, other) for one, other in zip(first, again, strict=False))
    expected = await embedder.embed(TEXTS[:3])
    assert np.allclose(np.stack(first), expected, atol=1e-3)
    await vectors.of("u", TEXTS[:2], most=9, seconds=60)
    assert embedder.asked[-1] == 2


async def test_the_work_of_one_call_is_bounded():
    """At most so many are made, some at a time, the first first; none without time."""
    embedder = Counting()
    vectors = PassageVectors(embedder)
    found = await vectors.of("t", TEXTS, most=20, seconds=60)
    assert embedder.asked == [AT_A_TIME, 4]
    assert [one is not None for one in found] == [True] * 20 + [False] * 20
    late = await PassageVectors(embedder).of("t", TEXTS, most=20, seconds=-1)
    assert late == [None] * 40
    # The next call goes on where the first one ended.
    found = await vectors.of("t", TEXTS, most=20, seconds=60)
    assert all(one is not None for one in found)


async def test_forgetting_drops_those_of_the_tenant():
    """Whatever of a scope is erased, no vector of its tenant is left; others stay."""
    embedder = Counting()
    vectors = PassageVectors(embedder)
    for tenant in "tu":
        await vectors.of(tenant, TEXTS[:2], most=9, seconds=60)
    vectors.forget("t", "one memory")
    vectors.forget(Scope(tenant="t", user_id="alice"))
    embedder.asked.clear()
    for tenant in "tu":
        await vectors.of(tenant, TEXTS[:2], most=9, seconds=60)
    assert embedder.asked == [2]
    vectors.clear()
    await vectors.of("u", TEXTS[:2], most=9, seconds=60)
    assert embedder.asked == [2, 2]
