"""What became of a text that should have come up."""

from dataclasses import replace

import pytest

from recollect.memory import AsyncMemory, Scope
from recollect.memory.api.whynot import sought_by_id, sought_by_text
from recollect.memory.model.types import Doubt, MemoryStatus

ADA = Scope(tenant="local", user_id="ada")


@pytest.fixture
async def memory():
    async with await AsyncMemory.open({"embedder": {"backend": "fake"}}) as opened:
        yield opened


async def keep(memory, text, user="ada"):
    added = await memory.add(text, user_id=user, infer=False)
    return added["results"][0]["id"]


async def change(memory, memory_id, status, **origin):
    """The memory with another status and origin."""
    store = memory._engine.parts.store
    [row] = [one for one in await store.scan(after=None, limit=99) if one.item.id == memory_id]
    provenance = replace(row.item.provenance, **origin)
    item = replace(row.item, status=status, provenance=provenance)
    await store.put([replace(row, item=item)])


async def by_text(memory, text, scope=ADA):
    return await sought_by_text(memory._engine, scope, text)


async def by_id(memory, memory_id, scope=ADA, *, of_tenant=True):
    return await sought_by_id(memory._engine, scope, memory_id, of_tenant=of_tenant)


async def test_a_text_finds_the_memory_that_says_it(memory):
    """In other words too; one that holds has no fate yet, and others that are near are named."""
    tea = await keep(memory, "I like green tea in the morning.")
    await keep(memory, "I like green apples.")
    sought = await by_text(memory, "green tea in the morning")
    assert (sought.item.id, sought.fate) == (tea, None)
    assert [near["memory"] for near in sought.nearest] == ["I like green apples."]


async def test_what_is_withheld_says_why(memory):
    """In words for people."""
    tea = await keep(memory, "I like green tea.")
    doubts = (Doubt("unconfirmed", "assistant"),)
    await change(memory, tea, MemoryStatus.QUARANTINED, reasons=doubts)
    for sought in (await by_text(memory, "I like green tea."), await by_id(memory, tea)):
        assert (sought.item.id, sought.fate.verdict) == (tea, "withheld")
        assert sought.fate.why.startswith("It is stored and held back until somebody validates it")


async def test_what_was_replaced_names_what_took_its_place(memory):
    """An earlier version is found by its own words."""
    paris = await keep(memory, "I live in Paris.")
    await memory.update(paris, "My home is Rome now.")
    sought = await by_text(memory, "I live in Paris.")
    assert sought.fate.verdict == "superseded"
    assert "'My home is Rome now.'" in sought.fate.why


async def test_what_was_deleted_or_forgotten(memory):
    """By its id: a history tells of a deletion; of an erasure only who acts for all users."""
    tea = await keep(memory, "I like green tea.")
    await memory.delete(tea)
    assert (await by_id(memory, tea)).fate.verdict == "deleted"
    await memory.forget(tea)
    assert (await by_id(memory, tea)).fate.verdict == "forgotten"
    assert (await by_id(memory, tea, of_tenant=False)).fate.verdict == "never_stored"
    assert (await by_id(memory, "unknown")).fate.verdict == "never_stored"
