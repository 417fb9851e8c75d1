"""`AsyncMemory.graph` on the engine's own graph: what becomes of entities as memories change."""

import pytest

from recollect.memory import NotFoundError
from tests.memory.api.client_parts import build, keep

ALICE = {"user_id": "alice"}


@pytest.fixture
async def memory():
    made = build()
    yield made
    await made._engine.close()


async def names(memory):
    found = (await memory.entities(**ALICE))["results"]
    return {one["name"]: one["memories"] for one in found}


async def test_the_example_of_the_page(memory):
    """A sister is found by what she is called, by her name, and by a filter."""
    await keep(memory, "My sister Anna lives in Berlin", "Anna has a boat", "I like tea")
    [anna] = (await memory.entities(name="my sister", **ALICE))["results"]
    assert (anna["name"], anna["type"], anna["memories"]) == ("Anna", "person", 2)
    [said] = (await memory.relations("Anna", relation="sister_of", **ALICE))["results"]
    assert (said["source"], said["relation"], said["target"]) == ("Anna", "sister_of", "User")
    assert (await memory.relations("User", **ALICE))["results"] == [said]
    assert await memory.count(filters={"entities": "my sister"}, **ALICE) == {"count": 2}


async def test_entities_follow_their_memories(memory):
    """Taken back, reverted, reworded, deleted: what nothing speaks of any more is gone."""
    first, second = await keep(memory, "Anna has a boat", "Anna likes tea")
    await memory.invalidate(first)
    assert await names(memory) == {"Anna": 1}
    await memory.revert(first)
    assert await names(memory) == {"Anna": 2}
    await memory.update(first, "Petra has a boat")
    assert await names(memory) == {"Anna": 1, "Petra": 1}
    await memory.delete(second)
    assert await names(memory) == {"Petra": 1}


async def test_what_is_forgotten_is_gone_at_once(memory):
    """With its aliases and merges, and the receipt counts it."""
    first, second = await keep(memory, "Anna has a boat", "Annushka likes tea")
    await memory.graph.merge("Anna", "Annushka", **ALICE)
    receipt = await memory.forget(second)
    assert receipt["erased"]["entities"] == 1
    assert await names(memory) == {"Anna": 1}
    assert (await memory.graph.merges())["results"] == []
    with pytest.raises(NotFoundError):
        await memory.graph.get("Annushka", **ALICE)
    await memory.forget(first)
    await memory._engine.graph.settled()
    checked = await memory.graph.check()
    assert set(checked.values()) == {0}


async def test_what_people_said_survives_a_rebuild(memory):
    """A merge and an undo of it stand, whoever reads the memories again."""
    await keep(memory, "Anna Schmidt likes tea", "Annushka has a boat")
    joined = await memory.graph.merge("Anna Schmidt", "Annushka", **ALICE)
    await memory.graph.rebuild(**ALICE)
    assert await names(memory) == {"Anna Schmidt": 2}
    await memory.graph.undo(joined["merge"]["id"], **ALICE)
    await memory.graph.rebuild()
    assert await names(memory) == {"Anna Schmidt": 1, "Annushka": 1}
    assert (await memory.graph.check())["stale"] == 0


async def test_a_last_name_finds_whose_it_is(memory):
    """If nobody is called just so."""
    await keep(memory, "Anna Schmidt likes tea")
    for name in ("Schmidt", "anna", "Anna Schmidt's"):
        [found] = (await memory.graph.get(name, **ALICE))["results"]
        assert found["name"] == "Anna Schmidt"
    with pytest.raises(NotFoundError):
        await memory.graph.merge("Schmidt", "Anna Schmidt", **ALICE)
