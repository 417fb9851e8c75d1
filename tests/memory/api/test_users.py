"""Who has memories."""

import pytest

from recollect.memory import AsyncMemory


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
