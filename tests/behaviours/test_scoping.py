"""Scoping: behaviours 19 to 22."""

import pytest

from recollect.memory import ScopeError

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_19_scope_isolation(world):
    """One user's memories are never found for another, however well they match."""
    await world.add("User likes Python")
    assert await world.found("User likes Python", user_id="bob") == []
    assert await world.texts(user_id="bob") == []
    assert await world.found("User likes Python") == ["User likes Python"]


async def test_20_multi_scope_filter(world):
    """A query that names a user and an agent sees only what has both."""
    await world.add("User likes Python", agent_id="helper")
    await world.add("User likes Rust", agent_id="other")
    await world.add("User likes Go")
    await world.add("User likes C", user_id="bob", agent_id="helper")
    assert await world.found("languages", agent_id="helper") == ["User likes Python"]
    assert await world.texts(user_id="alice", agent_id="helper") == ["User likes Python"]


async def test_21_missing_scope_error(world):
    """Adding without any scope is a ScopeError, and no model is asked."""
    with pytest.raises(ScopeError):
        await world.memory.add("My name is Bob")
    assert world.extractor.requests == []


async def test_22_run_isolation(world):
    """Two runs keep their memories apart, for the same user and without one."""
    await world.add("User likes Python", run_id="session-1")
    await world.add("User likes Rust", run_id="session-2")
    assert await world.texts(user_id="alice", run_id="session-1") == ["User likes Python"]
    assert await world.texts(run_id="session-2") == ["User likes Rust"]
    assert await world.found("What does the user like?", run_id="session-2") == ["User likes Rust"]
