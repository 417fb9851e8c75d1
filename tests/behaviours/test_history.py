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
    [event] = await world.add("one")
    for text in ("two", "three", "four"):
        await world.memory.update(event["id"], text)
    rows = await world.memory.history(event["id"])
    assert [row["new_value"] for row in rows] == ["one", "two", "three", "four"]
    moments = [datetime.fromisoformat(row["timestamp"]) for row in rows]
    assert moments == sorted(moments)
