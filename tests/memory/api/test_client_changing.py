"""AsyncMemory: update, delete, history, reset."""

import pytest

from recollect.memory import (
    InvalidInputError,
)
from recollect.memory.model.inputs import DEFAULT_LIMIT
from tests.memory.api.client_parts import build, keep, texts


@pytest.fixture
async def memory():
    async with build() as memory:
        yield memory


async def test_update_embeds_anew(memory):
    """The memory is found by what it says now, and no longer by what it said."""
    [name, _] = await keep(memory, "green tea", "a red car")
    await memory.update(name, "mountain bike")

    async def best(query):
        return (await memory.search(query, user_id="alice", limit=1))["results"][0]["memory"]

    assert await best("mountain bike") == "mountain bike"
    found = (await memory.search("green tea", user_id="alice", threshold=0.5))["results"]
    assert found == []


async def test_delete_all_covers_everything_of_the_scope(memory):
    """More memories than any listing shows, whatever their status, and nobody else's."""
    names = await keep(memory, *[f"tea {n}" for n in range(DEFAULT_LIMIT + 50)])
    await keep(memory, "narrow", user_id="alice", agent_id="helper")
    await keep(memory, "other", user_id="bob")
    assert await memory.delete_all(user_id="alice") == {"deleted": DEFAULT_LIMIT + 51}
    assert await texts(memory) == []
    assert await texts(memory, user_id="bob") == ["other"]
    for name in names:
        assert [row["event"] for row in await memory.history(name)] == ["ADD", "DELETE"]
    assert await memory.delete_all(user_id="alice") == {"deleted": 0}


async def test_metadata_is_merged_key_by_key():
    """What is not named stays, and None removes; the text and its vector stay."""
    async with build() as memory:
        [event] = (
            await memory.add(
                "likes tea", user_id="alice", infer=False, metadata={"a": 1, "b": 2},
                type="episodic", importance=0.9,
            )
        )["results"]  # fmt: skip
        kept = await memory.get(event["id"])
        assert (kept["type"], kept["importance"]) == ("episodic", 0.9)
        changed = await memory.update(event["id"], metadata={"b": None, "c": 3}, importance=0.1)
        assert (changed["memory"], changed["metadata"]) == ("likes tea", {"a": 1, "c": 3})
        assert (changed["importance"], changed["version"]) == (0.1, kept["version"] + 1)
        assert [one["event"] for one in await memory.history(event["id"])] == ["ADD", "UPDATE"]
        [was] = (await memory.get_all(user_id="alice", statuses=["superseded"]))["results"]
        assert (was["metadata"], was["importance"]) == ({"a": 1, "b": 2}, 0.9)
        both = await memory.update(event["id"], "likes coffee", metadata={"a": 4})
        assert (both["memory"], both["metadata"]) == ("likes coffee", {"a": 4, "c": 3})
        with pytest.raises(InvalidInputError, match="text"):
            await memory.update(event["id"])
        with pytest.raises(InvalidInputError, match="importance"):
            await memory.update(event["id"], importance=2)
        with pytest.raises(InvalidInputError, match="type"):
            await memory.add("x", user_id="alice", infer=False, type="semantics")
