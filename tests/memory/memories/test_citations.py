"""What names a memory or a turn is found without reading all of a scope."""

from __future__ import annotations

from tests.memory.forget.parts import ALICE, memories_of, memory, stored
from tests.support.state import in_memory_state


async def named(memories, ids=(), turns=(), tenant=ALICE.tenant) -> set[str]:
    return {item.id for item in await memories.resting_on(tenant, ids, turns)}


async def test_versions_and_turns_of_one_tenant_are_found():
    """Whatever their status; by ids and turns of a tenant, and by nothing else."""
    memories = memories_of(in_memory_state())
    await stored(
        memories,
        memory("m", "lives in Rome", turns=("t2",)),
        memory("v", "lives in Bonn", turns=("t1",), version_of="m"),
        memory("n", "likes tea", turns=("t2", "t3")),
    )
    assert await named(memories, ["m"]) == {"v"}
    assert await named(memories, ["m"], ["t3"]) == {"v", "n"}
    assert await named(memories, turns=["t1", "t2"]) == {"m", "v", "n"}
    # A turn is no memory of that name, and neither is another tenant's.
    assert await named(memories, ["t1"]) | await named(memories, turns=["m"]) == set()
    assert await named(memories, ["m"], ["t1"], tenant="other") == set()


async def test_what_a_memory_names_follows_it():
    """A new version of a row names what it names now; one that is gone names nothing."""
    memories = memories_of(in_memory_state())
    await stored(memories, memory("m", "lives in Rome", turns=("t1",)))
    await stored(memories, memory("m", "lives in Bonn", turns=("t2",)))
    assert await named(memories, turns=["t1"]) == set()
    assert await named(memories, turns=["t2"]) == {"m"}
    await memories.delete(ALICE.tenant, ["m"])
    assert await named(memories, turns=["t2"]) == set()
    [(left,)] = await memories.database.statement("SELECT count(*) FROM memory_grounds", {})
    assert left == 0
