"""Who has memories."""

import pytest

from recollect.memory import AsyncMemory
from recollect.memory.model.owner import Owner


@pytest.fixture
async def memory():
    options = {"embedder": {"backend": "fake"}}
    async with await AsyncMemory.open(options) as opened:
        yield opened


async def keep(memory, *texts, **scope):
    for text in texts:
        await memory.add(text, infer=False, **scope)


async def test_only_active_memories_count(memory):
    """Earlier versions leave a trace with times, so that whoever removes all finds them."""
    await keep(memory, "I like tea.", user_id="ada")
    [known] = (await memory.get_all(user_id="ada"))["results"]
    await memory.update(known["id"], "I like coffee.")
    [ada] = await memory.users()
    assert (ada["total_memories"], ada["created_at"] <= ada["updated_at"]) == (1, True)
    await memory.delete_all(user_id="ada")
    assert await memory.users() == []


async def test_a_single_user_is_told_of_itself(memory):
    """Its agents and runs, and nobody else."""
    await keep(memory, "I like tea.", user_id="ada", agent_id="a")
    await keep(memory, "I like milk.", user_id="bob", agent_id="b")
    memory._view._owner = Owner(memory.tenant, "bob")
    assert [e["name"] for e in await memory.users()] == ["bob", "b"]


async def test_other_tenants_rows_are_not_read(memory):
    """Whoever asks for a tenant's users reads that tenant's rows, and no text of them."""
    await keep(memory, "I like tea.", user_id="ada")
    await keep(memory.for_tenant("other"), *(f"Fact {n}" for n in range(5)), user_id="eve")
    store = memory._engine.parts.store
    read = []
    for name in ("scan", "walk", "list", "tally"):
        spied_on(store, name, read)
    assert [e["name"] for e in await memory.users()] == ["ada"]
    assert [(name, given) for name, given, _ in read] == [("tally", ("local",))]


def spied_on(store, name, read):
    method = getattr(store, name)

    async def spy(*given, **named):
        found = await method(*given, **named)
        read.append((name, given, found))
        return found

    setattr(store, name, spy)
