"""What falls with memories: of those that hold exactly the links stay, and nothing of the others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from recollect.memory.model.errors import StoreError
from recollect.memory.model.types import MemoryItem, MemoryStatus, Scope, StoredMemory
from tests.memory.graph.linking.world import (
    ALICE,
    ALL,
    VECTOR,
    World,
    edited,
    memory,
    version_of,
)

SUPERSEDED = MemoryStatus.SUPERSEDED
BOB = Scope(tenant="t", user_id="bob")
MET = "User met Zebulon Quackenbush in Tbilisi"


def stored(item: MemoryItem) -> StoredMemory:
    return StoredMemory(item, VECTOR)


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
    assert (await world.names(), len(await world.names(BOB))) == ({}, 2)


async def test_what_is_written_while_it_is_read_is_linked_as_it_is_then(world, monkeypatch):
    """A change between reading a memory and linking it wins, whatever it is."""
    changes = {
        "deleted": lambda item: world.inner.delete("t", [item.id]),
        "ended": lambda item: world.inner.put([stored(edited(item, status=SUPERSEDED))]),
        "said otherwise": lambda item: world.inner.put([stored(edited(item, text="User sings"))]),
        "replaced": lambda item: world.inner.put([stored(replace(item, text="User sings"))]),
        "moved": lambda item: world.inner.put([stored(replace(item, scope=BOB))]),
    }
    await world.graph.settled()
    for name, change in changes.items():
        item, read = memory(name, MET), world.graph._linker._read

        async def overtaken(owner, items, *, item=item, read=read, change=change):
            found = await read(owner, items)
            monkeypatch.setattr(world.graph._linker, "_read", read)
            await change(item)
            return found

        monkeypatch.setattr(world.graph._linker, "_read", overtaken)
        await world.put(item)
        await world.graph.settled()
        assert await world.names() == {}, name
        assert (await world.kept.counts())["marks"] == 0
        await world.inner.reset("t")


async def test_what_is_not_active_is_linked_by_nobody(world):
    """Its links fall with the write that says so, before anybody links anything."""
    for status in ALL - {MemoryStatus.ACTIVE}:
        item = memory("a", MET)
        await world.put(item)
        assert len(await world.names()) == 2
        await world.inner.put([stored(edited(item, status=status))])
        assert await world.kept.counts("t") == dict.fromkeys(await world.kept.counts(), 0)
        await world.put(edited(edited(item)))
        assert len(await world.names()) == 2
        await world.inner.reset("t")


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


async def test_what_another_process_left_is_linked_by_whoever_looks(world):
    """It may have died, or have no background: memories and owners wait in the database."""
    other = World(world.inner)
    other.store.writer.followers.clear()
    await other.put(memory("a", "User met Anna in Oslo"), memory("b", "Anna Schmidt sings", 1))
    world.graph.look()
    assert len(await world.names()) == 3
    await other.store.delete("t", ["a"])
    assert (await world.kept.counts())["marks"] == 1
    world.graph.look()
    assert await world.names() == {"Anna Schmidt": 1}
    assert (await world.kept.counts())["marks"] == 0
