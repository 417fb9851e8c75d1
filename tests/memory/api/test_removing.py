"""Deleting what a query describes."""

import pytest

from recollect.memory import InvalidInputError, ScopeError
from tests.memory.api.client_parts import build, numbers, tagged


@pytest.fixture
async def memory():
    async with build() as memory:
        yield memory


async def test_a_dry_run_deletes_nothing(memory):
    """It shows what would be deleted."""
    await tagged(memory)
    shown = await memory.delete_by_query(user_id="alice", filters={"tag": "a"}, dry_run=True)
    assert (len(shown["results"]), shown["deleted"], shown["dry_run"]) == (3, 0, True)
    assert await memory.count(user_id="alice") == {"count": 6}


async def test_what_passes_is_deleted(memory):
    """Of this scope, and the history stays."""
    await tagged(memory)
    await tagged(memory, user_id="bob")
    done = await memory.delete_by_query(user_id="alice", filters={"tag": "a"})
    assert (len(done["results"]), done["deleted"]) == (3, 3)
    assert await numbers(memory) == [1, 3, 5]
    assert await memory.count(user_id="bob") == {"count": 6}
    history = await memory.history(done["results"][0]["id"])
    assert [row["event"] for row in history] == ["ADD", "DELETE"]


async def test_erasing_gives_a_receipt(memory):
    """Nothing of it is left anywhere."""
    await tagged(memory)
    done = await memory.delete_by_query(user_id="alice", filters={"tag": "a"}, erase=True)
    assert done["deleted"] == 3
    assert done["receipt"]["erased"]["memories"] == 3
    assert await memory.history(done["results"][0]["id"]) == []


async def test_it_needs_a_scope_and_a_filter(memory):
    """So that a slip does not delete everything."""
    with pytest.raises(ScopeError):
        await memory.delete_by_query(filters={"tag": "a"})
    for which in ({}, {"filters": {}}, {"status": "active"}, {"filters": None}):
        with pytest.raises(InvalidInputError, match="filters"):
            await memory.delete_by_query(user_id="alice", **which)
    with pytest.raises(InvalidInputError, match="as_of"):
        await memory.delete_by_query(user_id="alice", as_of="2026-01-01")
