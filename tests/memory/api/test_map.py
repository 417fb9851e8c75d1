"""The memories of a scope as points."""

import pytest

from recollect.memory import AsyncMemory, Scope
from recollect.memory.api.map import map_of

ADA = Scope(tenant="local", user_id="ada")


@pytest.fixture
async def memory():
    async with await AsyncMemory.open({"embedder": {"backend": "fake"}}) as opened:
        yield opened


async def test_each_memory_is_a_point(memory):
    """With its text, time, type and status; others' are not there."""
    for text in ("I like green tea.", "I like green apples.", "My car is red."):
        await memory.add(text, user_id="ada", infer=False)
    await memory.add("I like milk.", user_id="bob", infer=False)
    await memory.for_tenant("other").add("I like beer.", user_id="ada", infer=False)
    told = await map_of(memory._engine, ADA, 10)
    by_text = {point["memory"]: point for point in told["points"]}
    assert by_text.keys() == {"I like green tea.", "I like green apples.", "My car is red."}
    tea = by_text["I like green tea."]
    assert (tea["type"], tea["status"], tea["at"][:2]) == ("semantic", "active", "20")
    assert all(-1 <= point[axis] <= 1 for point in told["points"] for axis in "xy")
    assert [axis["axis"] for axis in told["axes"]] == ["x", "y"]
    assert told == await map_of(memory._engine, ADA, 10)


async def test_many_memories_are_bounded(memory):
    """At most as many points as asked for, the same each time, and it is said that more exist."""
    for number in range(4):
        await memory.add(f"Fact {number}.", user_id="ada", infer=False)
    told = await map_of(memory._engine, ADA, 3)
    assert (len(told["points"]), told["more"]) == (3, True)
    assert (await map_of(memory._engine, ADA, 4))["more"] is False


async def test_a_long_text_is_cut(memory):
    """A map of long texts would be hundreds of megabytes."""
    await memory.add("x" * 5000, user_id="ada", infer=False)
    [point] = (await map_of(memory._engine, ADA, 3))["points"]
    assert len(point["memory"]) == 300
