"""An embedder around another one."""

from memory.embedders import FakeEmbedder
from memory.embedders.wrapping import WrappingEmbedder


class Counting(FakeEmbedder):
    closed = 0

    async def close(self):
        self.closed += 1


async def test_it_is_known_as_the_one_inside():
    """Memories name the embedder that made their vectors, whatever stands around it."""
    inner = Counting()
    outer = WrappingEmbedder(WrappingEmbedder(inner))
    assert (outer.id, outer.dim) == (inner.id, inner.dim)
    await outer.close()
    assert inner.closed == 1
