"""What falls with memories: of those that hold exactly the links stay, and nothing of the others."""

from __future__ import annotations

import pytest

from recollect.memory.model.errors import StoreError
from recollect.memory.model.types import Scope
from tests.memory.graph.linking.world import ALICE, World, edited, memory, version_of
from tests.support.memories import InMemoryMemories
from tests.support.state import in_memory_graph

BOB = Scope(tenant="t", user_id="bob")
MET = "User met Zebulon Quackenbush in Tbilisi"


@pytest.fixture
async def world():
    world = World()
    yield world
    await world.close()


async def test_a_reworded_memory_speaks_of_whom_it_names_now(world):
    """Its earlier version, a row of its own, speaks of nobody."""
    item = memory("a", MET)
    await world.put(item)
    await world.put(version_of(item), edited(item, text="User met Viktor in Tbilisi"))
    assert await world.names() == {"Viktor": 1, "Tbilisi": 1}


async def test_users_are_never_mixed(world):
    """Two users who speak of an Anna speak of two; erasing the one leaves the other's."""
    await world.put(memory("a", MET), memory("b", MET, scope=BOB))
    assert await world.names() == await world.names(BOB)
    ids = {one.entity.id for one in await world.kept.entities(ALICE)}
    assert ids.isdisjoint({one.entity.id for one in await world.kept.entities(BOB)})
    await world.store.delete("t", ["a"])
    await world.kept.erase(ALICE)
    assert (await world.names(), len(await world.names(BOB))) == ({}, 2)


async def test_what_is_forgotten_while_it_is_read_is_not_linked_afterwards(world, monkeypatch):
    """A forget that comes between reading a memory and linking it wins."""
    await world.graph.look()
    resolve = world.kept.resolve

    async def forgotten_meanwhile(*args, **named):
        await world.inner.delete("t", ["a"])
        await world.kept.unlink("t", ["a"])
        return await resolve(*args, **named)

    monkeypatch.setattr(world.kept, "resolve", forgotten_meanwhile)
    await world.put(memory("a", MET))
    await world.graph.settled()
    assert await world.kept.linked("t") == {}


async def test_a_write_that_fails_leaves_what_is_stored(world, monkeypatch):
    """The store says what became of it: nothing was written, so nothing is linked."""

    async def fails(_memories):
        raise StoreError("down")

    with monkeypatch.context() as patch:
        patch.setattr(world.inner, "put", fails)
        with pytest.raises(StoreError):
            await world.put(memory("a", MET))
    assert await world.names() == {}
    assert (await world.kept.counts())["marks"] == 0


async def test_what_another_process_marked_is_left_to_it_for_a_while():
    """It may be writing; when it died, whoever looks links what it left."""
    now = [0.0]
    kept, inner = in_memory_graph(), InMemoryMemories(dim=4)
    await kept.mark({"a": ALICE})
    await World(store=inner, graph=kept).inner.put([])
    world = World(graph=kept, store=inner, shared=True, clock=lambda: now[0])
    other = World(store=inner)
    await other.put(memory("a", MET))
    await world.graph.look()
    await world.graph.settled()
    assert await kept.linked("t") == {}
    now[0] = 60.0
    await world.graph.look()
    assert len(await world.names()) == 2
    assert (await kept.counts())["marks"] == 0
    await other.close()
    await world.close()
