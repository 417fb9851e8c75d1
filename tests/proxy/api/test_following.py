"""`GET /v1/memories/events`: changes as they are made."""

import asyncio
import json

from recollect.memory import AsyncMemory
from recollect.proxy.api import following

EVENTS = "/v1/memories/events"


async def next_event(answer):
    """The next event that is no sign of life, as its fields."""
    while True:
        block = []
        while line := (await answer.content.readline()).decode().rstrip("\n"):
            block.append(line)
        fields = dict(line.split(": ", 1) for line in block if not line.startswith(":"))
        if fields:
            return fields


async def test_changes_arrive_as_events(client):
    """Each with its id, its kind and the change as JSON; others' changes are not sent."""
    async with client.get(EVENTS, params={"user_id": "alice"}) as answer:
        assert answer.content_type == "text/event-stream"
        for user in ("bob", "alice"):
            body = {"messages": f"{user} likes tea", "user_id": user, "infer": False}
            assert (await client.post("/v1/memories", json=body)).status == 200
        event = await next_event(answer)
    change = json.loads(event["data"])
    assert (event["event"], event["id"]) == ("ADD", change["id"])
    assert (change["memory"], change["user_id"]) == ("alice likes tea", "alice")


async def test_lines_of_json(client):
    """For clients that accept them."""
    async with client.get(EVENTS, headers={"Accept": "application/x-ndjson"}) as answer:
        body = {"messages": "likes tea", "user_id": "alice", "infer": False}
        await client.post("/v1/memories", json=body)
        assert await answer.content.readline() == b"\n"
        assert json.loads(await answer.content.readline())["event"] == "ADD"


async def test_a_quiet_stream_shows_that_it_lives(client, monkeypatch):
    """Comments come while nothing changes."""
    monkeypatch.setattr(following, "QUIET_SECONDS", 0.01)
    async with client.get(EVENTS) as answer:
        for _ in range(3):
            assert await answer.content.readline() == b": alive\n"
            assert await answer.content.readline() == b"\n"


async def test_streams_are_bounded_and_end_with_the_client(serve, monkeypatch):
    """One too many of a user is refused; others have room, and a client that leaves makes room."""
    monkeypatch.setattr(following, "QUIET_SECONDS", 0.01)
    client = await serve(api={"streams": {"per_user": 1, "per_tenant": 2, "write_seconds": 7}})
    async with client.get(EVENTS, params={"user_id": "alice"}):
        refused = await client.get(EVENTS, params={"user_id": "alice"})
        assert (refused.status, refused.headers["Retry-After"]) == (429, "7")
        assert "a user may have 1 streams" in (await refused.json())["detail"]
        async with client.get(EVENTS, params={"user_id": "bob"}) as answer:
            assert answer.status == 200
            refused = await client.get(EVENTS)
            assert "a tenant may have 2 streams" in (await refused.json())["detail"]
    for _ in range(500):
        async with client.get(EVENTS, params={"user_id": "alice"}) as answer:
            if answer.status == 200:
                return
        await asyncio.sleep(0.01)
    raise AssertionError("the stream of a client that left stays open")


async def test_no_other_tenants_changes(serve, engine):
    """A stream without ids shows the caller's tenant only."""
    client = await serve()
    async with client.get(EVENTS) as answer:
        for tenant in ("other", "local"):
            memory = AsyncMemory(engine.engine, tenant=tenant)
            await memory.add(f"of {tenant}", user_id="alice", infer=False)
        assert json.loads((await next_event(answer))["data"])["memory"] == "of local"
