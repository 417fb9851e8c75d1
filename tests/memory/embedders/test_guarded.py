import asyncio

import numpy as np
import pytest

from recollect.memory.embedders.guarded import GuardedEmbedder
from recollect.memory.model.errors import EmbeddingError
from recollect.memory.util.breaker import BreakerOptions


class Down:
    id, dim = "down", 3

    def __init__(self):
        self.calls = 0
        self.works = False

    async def embed(self, texts):
        self.calls += 1
        if not self.works:
            raise EmbeddingError("no")
        return np.ones((len(texts), 3), np.float32)

    async def close(self):
        self.closed = True


async def test_a_server_that_is_down_is_left_alone():
    """After the failures in a row calls fail at once; one call after the pause ends it."""
    inner = Down()
    one = GuardedEmbedder(inner, BreakerOptions(failures=2, seconds=0.2))
    for _ in range(5):
        with pytest.raises(EmbeddingError):
            await one.embed(["x"])
    assert inner.calls == 2
    await asyncio.sleep(0.3)
    inner.works = True
    assert (await one.embed(["x", "y"])).shape == (2, 3)
    assert (await one.embed(["x"])).shape == (1, 3)
    assert (one.id, one.dim) == ("down", 3)
    await one.close()
    assert inner.closed
