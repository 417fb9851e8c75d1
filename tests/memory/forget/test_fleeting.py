"""What a check of the product stored is erased without a tombstone; nothing else is."""

from recollect import AsyncMemory
from recollect.memory.model.scope import CHECK_USER
from tests.support.parts import engine_of


async def buried_after(**ids):
    """Whether a memory that was stored as it is leaves a tombstone when it is forgotten."""
    engine = engine_of()
    memory = AsyncMemory(engine)
    added = await memory.add("Recollect checks itself", infer=False, **ids)
    memory_id = added["results"][0]["id"]
    await memory.forget(memory_id)
    assert (await memory.get_all(**ids))["results"] == []
    return await engine.parts.state.tombstones.among("local", [memory_id]) == {memory_id}


async def test_only_a_check_leaves_none():
    """Nobody else knows the id of its memory; of anybody else's a client may."""
    assert not await buried_after(user_id=CHECK_USER, run_id="m")
    assert await buried_after(user_id="alice", run_id="m")
    assert await buried_after(run_id=CHECK_USER)


async def test_an_earlier_version_keeps_its_tombstone():
    """Whoever changes a memory may know its versions."""
    engine = engine_of()
    memory = AsyncMemory(engine)
    added = await memory.add("I like tea", user_id=CHECK_USER, infer=False)
    memory_id = added["results"][0]["id"]
    await memory.update(memory_id, "I like coffee")
    versions = await memory.get_all(user_id=CHECK_USER, status="superseded")
    earlier = [one["id"] for one in versions["results"]]
    await memory.forget(memory_id)
    assert await engine.parts.state.tombstones.among("local", earlier) == set(earlier) != set()
