"""The facts of memories that are written, derived while requests go on."""

import asyncio
import threading

import pytest

from recollect.memory.recall.index import deriving
from recollect.memory.recall.index.deriving import FEW, all_derived

from ..memories import stored


async def test_all_have_their_facts():
    """As each has alone, in the same order."""
    memories = [stored("tea"), stored("milk"), stored("water")]
    found = await all_derived(memories, None)
    assert found == [deriving.derived(memory, None) for memory in memories]
    assert all(memory.facts for memory in found)
    assert await all_derived([], None) == []


async def test_others_run_between_two_of_a_few(monkeypatch):
    """Reading what one tells takes a part of a millisecond."""
    seen = []

    async def request():
        while len(seen) < 6:
            seen.append("request")
            await asyncio.sleep(0)

    monkeypatch.setattr(deriving, "derived", lambda memory, judge: seen.append("memory") or memory)
    await asyncio.gather(all_derived([stored("tea")] * 3, None), request())
    assert seen == ["memory", "request"] * 3


@pytest.mark.parametrize("more", [0, 1])
async def test_many_are_derived_in_a_thread(monkeypatch, more):
    """So that the loop runs on."""
    inside = []

    def told(memory, judge):
        inside.append(threading.current_thread() is threading.main_thread())
        return memory

    monkeypatch.setattr(deriving, "derived", told)
    await all_derived([stored("tea")] * (FEW + more), None)
    assert set(inside) == {not more}
