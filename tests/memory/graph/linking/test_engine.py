"""An engine links what is written by every path, and builds what it does not have yet."""

from __future__ import annotations

import pytest

from recollect.memory import AsyncMemory
from recollect.memory.model.types import Scope
from tests.support.parts import engine_of

SCOPE = Scope(tenant="t", user_id="alice")


@pytest.fixture
def engine():
    return engine_of()


@pytest.fixture
def memory(engine):
    return AsyncMemory(engine, tenant="t")


async def names(engine, scope=SCOPE):
    await engine.graph.settled()
    return {one.entity.name for one in await engine.graph.store.entities(scope)}


async def kept(memory, text, **scope):
    added = await memory.add(text, infer=False, **(scope or {"user_id": "alice"}))
    return added["results"][0]["id"]


async def test_the_receipt_of_a_forget_counts_links_and_entities(engine, memory):
    """The one memory spoke of two that nothing else speaks of; they are gone when it returns."""
    one = await kept(memory, "User met Viktor in Tbilisi")
    await kept(memory, "User flies to Tbilisi in May")
    await engine.graph.settled()
    receipt = await engine.forgetter.forget_ids(SCOPE, [one])
    assert (receipt.links, receipt.entities) == (1, 1)
    found = {one.entity.name for one in await engine.graph.store.entities(SCOPE)}
    assert "Viktor" not in found
    receipt = await engine.forgetter.forget_scope(SCOPE)
    assert (receipt.links, receipt.entities) == (1, 1)
    counts = await engine.graph.store.counts("t")
    assert counts == dict.fromkeys(counts, 0)
    await engine.close()


async def test_nobody_is_to_be_linked_again_of_whom_nothing_is_left(engine, memory):
    """Also if a process died while it linked all, of memories that speak of nobody."""
    await kept(memory, "likes tea")
    await engine.graph.settled()
    await engine.graph.store.begin(SCOPE)
    assert (await engine.graph.store.counts("t"))["marks"] == 1
    await engine.forgetter.forget_scope(SCOPE)
    counts = await engine.graph.store.counts("t")
    assert counts == dict.fromkeys(counts, 0)
    await engine.close()


async def test_what_was_written_without_a_graph_is_linked_once_there_is_one():
    """Memories from before are linked by the first start with a graph."""
    without = engine_of(graph=None)
    await kept(AsyncMemory(without, tenant="t"), "User met Viktor in Tbilisi")
    await without.close()
    later = engine_of(store=without.parts.store._inner, state=without.parts.state)
    assert (await later.graph.store.counts("t"))["stale"] == 1
    await later.graph.build()
    assert "Viktor" in await names(later)
    assert (await later.graph.store.counts("t"))["stale"] == 0
    assert await later.graph.store.note("reader") is not None
    await later.close()
