"""The figures behind the dashboard, over HTTP."""

import json

from recollect.memory.model.types import Scope
from recollect.proxy.api.state import recent
from tests.proxy.api.serving import add
from tests.proxy.api.test_following import next_event
from tests.proxy.chat.test_recent_chats import hit, report

STATE, RECENT = "/v1/memories/state", "/v1/memories/recent"


async def test_the_last_chats_with_their_texts(client, serve):
    """Of a tenant, or of one user; the newest come first, at most as many as asked for."""
    memory_id = await add(client, "I like tea.")
    alice = Scope(tenant="local", user_id="alice")
    serve.recent.note(report(alice, hit(memory_id), seen=(memory_id,)))
    serve.recent.note(report(Scope(tenant="local", user_id="bob"), model="m2"))
    told = await (await client.get(RECENT)).json()
    assert [chat["user_id"] for chat in told["exchanges"]] == ["bob", "alice"]
    [line] = told["exchanges"][1]["recalled"]
    assert (line["memory"], line["role"]) == ("I like tea.", "answer")
    told = await (await client.get(RECENT, params={"limit": 1})).json()
    assert [chat["model"] for chat in told["exchanges"]] == ["m2"]
    told = await (await client.get(RECENT, params={"user_id": "alice"})).json()
    assert len(told["exchanges"]) == 1
    await client.delete(f"/v1/memories/{memory_id}")
    told = await (await client.get(RECENT, params={"user_id": "alice"})).json()
    assert told["exchanges"][0]["recalled"][0]["memory"] == ""


async def test_chats_arrive_as_they_end(client, serve, monkeypatch):
    """As events with an id each, for as long as the client listens; the server can stop."""
    monkeypatch.setattr(recent, "LOOK_SECONDS", 0.01)
    async with client.get("/v1/memories/live", params={"user_id": "alice"}) as answer:
        assert answer.content_type == "text/event-stream"
        serve.recent.note(report(Scope(tenant="other", user_id="alice")))
        serve.recent.note(report(Scope(tenant="local", user_id="bob")))
        serve.recent.note(report(Scope(tenant="local", user_id="alice"), model="mine"))
        event = await next_event(answer)
        chat = json.loads(event["data"])
        assert (event["event"], event["id"], chat["model"]) == ("exchange", chat["id"], "mine")


async def why(client, **asked):
    answer = await client.get("/v1/memories/whynot", params={"user_id": "alice"} | asked)
    assert answer.status == 200, await answer.text()
    return await answer.json()


async def test_why_a_text_did_not_come_up(client):
    """It is used, or it is not asked for, or nothing says it; the memory is shown."""
    await add(client, "I like green tea.")
    told = await why(client, text="I like green tea.", q="Which green tea do I like?")
    assert (told["verdict"], told["memory"]["memory"]) == ("used", "I like green tea.")
    told = await why(client, text="I like green tea.", q="Hello!")
    assert (told["verdict"], told["memory"]["status"]) == ("not_asked", "active")
    told = await why(client, memory_id=told["memory"]["id"], q=" ")
    assert (told["verdict"], told["nearest"]) == ("stored", [])
    told = await why(client, text="My bicycle was stolen")
    assert (told["verdict"], told["memory"]) == ("never_stored", None)
