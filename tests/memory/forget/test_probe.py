"""Searching for what was erased."""

from recollect.memory.embedders import FakeEmbedder
from recollect.memory.forget.probe import MOST, Probe
from recollect.memory.model.errors import EmbeddingError
from recollect.memory.model.types import MemoryStatus
from tests.memory.forget.parts import EMBEDDER, Parts, memory
from tests.memory.learn.doubles import Breaks


async def test_it_finds_what_is_there_whatever_its_status():
    """Until it is gone, and nothing that it was not asked for."""
    parts = Parts()
    row = memory("m", "Rome", status=MemoryStatus.QUARANTINED)
    await parts.put(row, memory("n", "Rome"))
    probe = await Probe.of(parts.store, EMBEDDER, [row])
    assert await probe.finds({"m"})
    await parts.store.delete("local", ["m"])
    assert not await probe.finds({"m"})


async def test_a_bounded_number_of_searches_over_all_of_them():
    """A thousand memories are not a thousand searches."""
    parts = Parts()
    rows = [memory(f"m{n}", f"number {n}") for n in range(1000)]
    probe = await Probe.of(parts.store, EMBEDDER, rows)
    assert 1 < len(probe.searches) <= MOST


async def test_without_an_embedder_there_are_no_searches():
    """Nor is there an error: what is to be forgotten does not wait."""
    broken = Breaks(FakeEmbedder(), "embed", EmbeddingError("down"))
    parts = Parts()
    probe = await Probe.of(parts.store, broken, [memory("m", "Rome")])
    assert not await probe.finds({"m"})
