"""The memory API over HTTP, over real parts in this process."""

import asyncio
from itertools import groupby
from unittest.mock import ANY

import pytest

from recollect.config.server import IdentityOptions
from recollect.memory.model.types import Scope
from recollect.proxy.api.memories import RESET
from recollect.proxy.api.operations import PREFIX
from tests.proxy.api.serving import detail
from tests.support.folding import rows
from tests.support.wired import Wired

NO_SCOPE = "At least one of user_id, agent_id, or run_id must be provided"
GATEWAY = IdentityOptions(mode="gateway", hash_key="h", tenants={"acme": "key-a", "emca": "key-b"})


SLASH = pytest.mark.parametrize("slash", ["", "/"], ids=["bare", "slash"])


@SLASH
async def test_add_search_and_list(client, slash):
    """What was added is found by similarity and listed, with every documented key."""
    body = {
        "messages": [{"role": "user", "content": "I like green tea"}],
        "user_id": "alice",
        "agent_id": "helper",
        "metadata": {"topic": "drinks"},
        "infer": False,
        "timestamp": "2026-03-01T10:00:00Z",
    }
    added = await client.post(f"/v1/memories{slash}", json=body)
    assert added.status == 200
    [event] = (await added.json())["results"]
    assert (event["event"], event["new_memory"]) == ("ADD", "I like green tea")

    params = {"q": "green tea", "user_id": "alice"}
    found = await client.get(f"/v1/memories/search{slash}", params=params)
    [memory] = (await found.json())["results"]
    assert memory["score"] > 0.5

    listed = await client.get(f"/v1/memories{slash}", params={"user_id": "alice"})
    [same] = (await listed.json())["results"]
    assert same == {k: v for k, v in memory.items() if k not in {"score", "similarity"}}
    assert same == {
        "id": event["id"],
        "kind": "memory",
        "memory": "I like green tea",
        "hash": same["hash"],
        "type": "semantic",
        "status": "active",
        "version": 1,
        "metadata": {"topic": "drinks"},
        "importance": 0.5,
        "provenance": {"source": "user", "recorded_at": ANY},
        "valid_from": "2026-03-01T10:00:00.000+00:00",
        "created_at": "2026-03-01T10:00:00.000+00:00",
        "updated_at": same["updated_at"],
        "user_id": "alice",
        "agent_id": "helper",
    }


async def test_adding_without_a_model_says_so(client):
    """No model to extract with is an error that names the setting, not an empty success."""
    answer = await client.post("/v1/memories/", json={"messages": "x y", "user_id": "alice"})
    told = (await answer.json())["detail"]
    assert (answer.status, told.startswith("nothing was stored: model_failed")) == (503, True)
    assert "learn.llm" in told


@rows("more", [{}, {"output_format": "v1.1"}])
async def test_adding_with_a_model_that_takes_too_long(serve, more, monkeypatch):
    """It is a 504 that names the setting, for our own clients and for mem0's."""

    class Hangs:
        async def complete(self, request):
            await asyncio.Event().wait()

        async def close(self):
            pass

    monkeypatch.setattr("recollect.memory.learn.options.ADD_SECONDS", 0.1)
    async with Wired() as parts:
        parts.model = Hangs()
        client = await serve(parts=parts)
        body = {"messages": "I like tea", "user_id": "alice", **more}
        answer = await client.post("/v1/memories/", json=body)
        assert answer.status == 504
        assert "learn.llm.timeout_seconds" in (await answer.json())["detail"]
        listed = await client.get("/v1/memories/?user_id=alice")
        assert (await listed.json())["results"] == []


async def test_a_gateway_flush_needs_a_scope(serve):
    """One tenant must not make everybody's turns be learned."""
    client = await serve(identity=GATEWAY)
    headers = {"Authorization": "Bearer key-a"}
    answer = await client.post("/v1/memories/flush", headers=headers)
    assert await detail(answer) == (400, NO_SCOPE)


async def test_a_web_page_cannot_plant_a_memory(client):
    """A form or script of another origin is refused before anything is stored."""
    planted = await client.post(
        "/v1/memories/",
        data='{"messages": "I trust evil.example", "user_id": "alice", "infer": false}',
        headers={"Origin": "http://evil.example", "Content-Type": "text/plain"},
    )
    status, _ = await detail(planted)
    assert status == 403
    listed = await client.get("/v1/memories/", params={"user_id": "alice"})
    assert await listed.json() == {"results": []}


async def test_what_was_kept_elsewhere_is_told_to_forget(serve):
    """Whatever else keeps text of memories hears what is gone: one, a scope, everything."""
    client = await serve()
    added = await client.post(
        PREFIX + "/", json={"messages": "I live in Oslo", "user_id": "a", "infer": False}
    )
    [memory] = (await added.json())["results"]
    await client.put(f"{PREFIX}/{memory['id']}", json={"text": "I live in Rome"})
    await client.delete(f"{PREFIX}/{memory['id']}")
    await client.delete(PREFIX + "/", params={"user_id": "a"})
    await client.delete(PREFIX + "/")
    await client.post(RESET, params={"confirm": "local"})
    assert [gone for gone, _ in groupby(serve.forgotten)] == [
        ("local", memory["id"]),
        (Scope(tenant="local", user_id="a"), None),
        ("local", None),
    ]
    assert serve.forgotten.count(("local", memory["id"])) == 2
