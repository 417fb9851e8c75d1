"""What users said is memory over REST: ours and mem0's."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest

from tests.proxy.api.calling import Calling
from tests.support.waiting import until


@pytest.fixture
async def api():
    async with Calling() as calling:
        await calling.say("I am allergic to peanuts.")
        await until(lambda: rows(calling), "what was said")
        yield calling


async def rows(api, **which):
    query = "".join(f"&{name}={quote(value)}" for name, value in which.items())
    return (await api.get(f"?user_id=alice{query}"))["results"]


async def test_it_is_got_and_not_changed(api):
    """Its id works as any other; changing it is refused with what can be done."""
    [row] = await rows(api)
    path = quote(row["id"], safe="")
    assert (await api.get(path))["memory"] == row["memory"]
    [event] = await api.get(f"{path}/history")
    assert event["new_value"] == row["memory"]
    status, told = await api.call("PUT", path, {"text": "I like peanuts."})
    assert status == 400
    assert "delete it" in told["detail"]
    status, _ = await api.call("DELETE", path)
    assert status == 200
    assert await rows(api) == []


async def test_it_is_forgotten_with_a_receipt(api):
    """By its id; what is not there any more is missing, and nobody else can do it."""
    [row] = await rows(api)
    status, told = await api.call("POST", "forget", {"ids": [row["id"]], "user_id": "bob"})
    assert (status, told["missing"], told["erased"]["turns"]) == (200, 1, 0)
    status, told = await api.call("POST", "forget", {"ids": [row["id"]]})
    assert (status, told["verified"], told["missing"], told["erased"]["turns"]) == (200, True, 0, 1)
    assert await rows(api) == []
    status, told = await api.call("POST", "forget", {"ids": [row["id"]]})
    assert told["missing"] == 1


async def test_mem0s_clients_see_it(api):
    """Their lists, searches and users have it, in their shapes."""
    by_alice = {"filters": {"user_id": "alice"}}
    status, page = await api.ask_for("POST", "/v2/memories/", by_alice)
    assert (status, page["count"], page["results"][0]["kind"]) == (200, 1, "said")
    assert {"id", "memory", "hash", "metadata", "categories", "created_at"} <= page["results"][
        0
    ].keys()
    status, found = await api.ask_for(
        "POST", "/v2/memories/search/", {"query": "allergic"} | by_alice
    )
    assert (status, len(found["results"])) == (200, 1)
    status, users = await api.ask_for("GET", "/v1/entities/")
    assert [(one["name"], one["total_memories"]) for one in users["results"]] == [("alice", 1)]
    change = {"memories": [{"memory_id": page["results"][0]["id"], "text": "x"}]}
    status, told = await api.ask_for("PUT", "/v1/batch/", change)
    assert status == 400
    assert "delete it" in json.dumps(told)
