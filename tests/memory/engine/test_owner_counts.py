"""Counting what there is of an owner."""

import asyncio

import pytest

from recollect.memory import AsyncMemory
from recollect.memory.engine import owner_counts
from recollect.memory.engine.owner_counts import OwnerCounts
from tests.support.clock import Clock


@pytest.fixture
async def memory():
    async with await AsyncMemory.open({"embedder": {"backend": "fake"}}) as opened:
        for number in range(3):
            await opened.add(f"Fact {number}.", user_id=f"u{number}", infer=False)
        yield opened


@pytest.fixture
def counted(memory, monkeypatch):
    """A census of the memory with a clock, and the owners that the store was asked to count."""
    engine = memory._engine
    counting = OwnerCounts(engine.parts, engine.owner_counts._warm, clock=Clock())
    asked, tally = [], engine.parts.store.tally

    async def spy(owner_ref, **how):
        asked.append(owner_ref)
        return await tally(owner_ref, **how)

    monkeypatch.setattr(engine.parts.store, "tally", spy)
    counting.asked = asked
    return counting


async def test_a_large_owner_is_counted_now_and_then(counted, monkeypatch):
    """Whoever polls gets the same figures until as many seconds have passed as its rows need."""
    monkeypatch.setattr(owner_counts, "AT_ONCE", 1)
    monkeypatch.setattr(owner_counts, "ROWS_A_SECOND", 1)
    first = await counted.of("local")
    assert await counted.of("local") is first
    counted._clock.now += first.rows + 1.0
    assert await counted.of("local") is not first
    assert counted.asked == ["local", "local"]


async def test_many_who_ask_at_once_are_told_of_one_count(memory, counted, monkeypatch):
    """A large owner is read once, however many ask; the figures are those of their owner only."""
    monkeypatch.setattr(owner_counts, "AT_ONCE", 1)
    found = await asyncio.gather(*(counted.of("local") for _ in range(5)))
    assert all(each is found[0] for each in found)
    assert counted.asked == ["local"]
    assert (await counted.of("other")).rows == 0
    assert (await counted.of(memory._view.owner.scope("u1"))).rows == 1
