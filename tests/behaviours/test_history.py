"""History: behaviours 23 to 26."""

from datetime import datetime

import pytest

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_23_add_creates_history(world):
    """An added memory has one row, its ADD."""
    [event] = await world.add("User likes tea")
    [row] = await world.memory.history(event["id"])
    assert (row["event"], row["old_value"], row["new_value"]) == ("ADD", None, "User likes tea")
    assert (row["memory_id"], row["is_deleted"]) == (event["id"], False)


async def test_known_already_is_a_row_of_history(world):
    """A fact that is told again leaves its memory alone and adds a NONE with stage and reason.

    Both values are the memory's text, so a client that reads the last row's `new_value` is right.
    """
    [first] = await world.add("User likes tea")
    [again] = await world.add("User likes tea")
    assert (again["event"], again["id"]) == ("NONE", first["id"])
    before = await world.memory.get(first["id"])
    added, known = await world.memory.history(first["id"])
    assert (known["event"], known["is_deleted"]) == ("NONE", False)
    assert known["old_value"] == known["new_value"] == before["memory"] == added["new_value"]
    assert (known["stage"], known["reason"]) == ("exact", "the same words")
    assert known["scores"]["cosine"] > 0.9


async def test_24_update_appends_history(world):
    """An update adds a row after the ADD, with both texts."""
    [event] = await world.add("User likes tea")
    await world.memory.update(event["id"], "User likes coffee")
    first, second = await world.memory.history(event["id"])
    assert (first["event"], second["event"]) == ("ADD", "UPDATE")
    assert (second["old_value"], second["new_value"]) == ("User likes tea", "User likes coffee")


async def test_25_delete_is_marked_in_history(world):
    """A deletion is a row that says so; what was there can still be read."""
    [event] = await world.add("User likes tea")
    await world.memory.delete(event["id"])
    row = (await world.memory.history(event["id"]))[-1]
    assert (row["event"], row["is_deleted"]) == ("DELETE", True)
    assert (row["old_value"], row["new_value"]) == ("User likes tea", None)


async def test_26_history_is_ordered_by_time(world):
    """Rows come oldest first, in the order things happened."""
    [event] = await world.add("User likes one")
    for text in ("two", "three", "four"):
        await world.memory.update(event["id"], text)
    rows = await world.memory.history(event["id"])
    assert [row["new_value"] for row in rows] == ["User likes one", "two", "three", "four"]
    moments = [datetime.fromisoformat(row["timestamp"]) for row in rows]
    assert moments == sorted(moments)
