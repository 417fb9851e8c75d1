"""Memory CRUD: behaviours 1 to 13."""

import pytest

from recollect.memory.model.types import text_hash
from tests.support.scripted import facts

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_01_add_single_fact(world):
    """One fact in a message is one ADD event with the fact as its text."""
    [event] = await world.add("User's name is Bob", said="My name is Bob", user_id="bob")
    assert (event["event"], event["new_memory"]) == ("ADD", "User's name is Bob")
    assert "My name is Bob" in world.extractor.said()


async def test_02_add_conversation(world):
    """A conversation of several messages gives several ADD events."""
    world.extractor.replies = [facts("User lives in Lyon", "User plays the cello")]
    added = await world.memory.add(
        [
            {"role": "user", "content": "I live in Lyon now."},
            {"role": "assistant", "content": "Lovely! Do you still play?"},
            {"role": "user", "content": "The cello, every day."},
        ],
        user_id="alice",
    )
    assert [event["event"] for event in added["results"]] == ["ADD", "ADD"]
    assert await world.texts() == ["User lives in Lyon", "User plays the cello"]


async def test_03_add_with_nothing_to_extract(world):
    """Where there is no fact the result is empty, and no error."""
    assert await world.add(said="hello", user_id="x") == []


async def test_04_search_by_semantics(world):
    """A memory is found, first of all, by what it means and not by its words."""
    await world.add("User likes Python", "User's cat is called Mia", "User dislikes cold weather")
    assert (await world.found("programming languages"))[0] == "User likes Python"


async def test_04_search_by_semantics_score(world):
    """The score of such a hit is above one half, though the embedder's cosine is 0.324."""
    await world.add("User likes Python")
    [hit] = (await world.memory.search("programming languages", user_id="alice"))["results"]
    assert hit["memory"] == "User likes Python"
    assert hit["score"] > 0.5 > hit["similarity"]


async def test_05_search_with_limit(world):
    """No more results come than were asked for."""
    await world.add(
        "User likes tea", "User drinks tea", "User grows tea", "User sells tea", "User sips tea"
    )
    assert len(await world.found("tea", limit=3)) == 3


async def test_06_get_by_id(world):
    """The id an ADD returned leads to the memory."""
    [event] = await world.add("User likes tea")
    found = await world.memory.get(event["id"])
    assert (found["id"], found["memory"]) == (event["id"], "User likes tea")
    assert found["hash"] == text_hash("User likes tea")


async def test_07_get_nonexistent_returns_none(world):
    """An id nobody has is nothing, not an error."""
    assert await world.memory.get("fake-id") is None


async def test_08_get_all_of_a_scope(world):
    """All three memories of a user are listed."""
    await world.add("User likes tea", "User owns a boat", "User speaks Dutch")
    assert await world.texts() == ["User likes tea", "User owns a boat", "User speaks Dutch"]


async def test_09_update_overwrites(world):
    """After an update the memory says the new text, and is found by it."""
    [event] = await world.add("User likes tea")
    await world.memory.update(event["id"], "User repairs old radios")
    assert (await world.memory.get(event["id"]))["memory"] == "User repairs old radios"
    [hit] = (await world.memory.search("fixing a radio", user_id="alice"))["results"]
    assert hit["score"] > 0.5


async def test_10_update_changes_hash(world):
    """After an update the hash is the md5 of the new text."""
    [event] = await world.add("User likes tea")
    await world.memory.update(event["id"], "new text")
    assert (await world.memory.get(event["id"]))["hash"] == text_hash("new text")


async def test_11_delete_removes(world):
    """A deleted memory is gone from every reading."""
    [event] = await world.add("User likes tea")
    await world.memory.delete(event["id"])
    assert await world.memory.get(event["id"]) is None
    assert await world.texts() == []
    assert await world.found("tea") == []


async def test_12_delete_all_of_a_scope(world):
    """Deleting a user's memories leaves that user none and others all."""
    await world.add("User likes tea", "User owns a boat")
    await world.add("User speaks Dutch", user_id="bob")
    assert await world.memory.delete_all(user_id="alice") == {"deleted": 2}
    assert await world.texts() == []
    assert await world.texts(user_id="bob") == ["User speaks Dutch"]


async def test_13_reset_clears_everything(world):
    """After a reset there are no memories and no history."""
    [one] = await world.add("User likes tea")
    [two] = await world.add("User speaks Dutch", user_id="bob", run_id="r")
    await world.memory.reset()
    assert await world.texts() == await world.texts(user_id="bob") == []
    assert await world.memory.history(one["id"]) == await world.memory.history(two["id"]) == []
