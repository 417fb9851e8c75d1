"""The routes of conversations."""

from __future__ import annotations

from dataclasses import replace

from tests.memory.state.samples import ALICE, ALICE_WORK, turn

from .serving import detail

PATH = "/v1/memories/conversations"


async def record(engine, *turns):
    for one in turns:
        await engine.engine.parts.state.conversations.record(one)


async def answer_of(client, method, path, **asked):
    answer = await client.request(method, path, **asked)
    assert answer.status == 200, await answer.text()
    return await answer.json()


async def test_the_life_of_a_conversation(client, engine):
    """Listed, read page by page, found by both sides, erased, and gone."""
    await record(
        engine,
        replace(turn("a"), user_text="Which trail is dry?", assistant_text="Take the ridge."),
        replace(turn("b"), user_text="And tomorrow?", assistant_text="It rains."),
        replace(turn("a", "c2", minutes=3, scope=ALICE_WORK), user_text="My cello is old."),
    )
    own = {"user_id": "alice"}
    page = await answer_of(client, "GET", PATH, params={**own, "limit": "1"})
    assert [one["id"] for one in page["results"]] == ["c2"]
    page = await answer_of(client, "GET", f"{PATH}/", params={**own, "cursor": page["next"]})
    assert [one["id"] for one in page["results"]] == ["c1"]
    of_agent = await answer_of(client, "GET", PATH, params={"agent_id": "work"})
    assert [one["id"] for one in of_agent["results"]] == ["c2"]

    shown = await answer_of(client, "GET", f"{PATH}/c1/messages", params={**own, "limit": "3"})
    assert [one["role"] for one in shown["results"]] == ["user", "assistant", "user"]
    rest = {**own, "cursor": shown["next"]}
    shown = await answer_of(client, "GET", f"{PATH}/c1/messages", params=rest)
    assert [one["content"] for one in shown["results"]] == ["It rains."]

    for found in (
        await answer_of(client, "GET", f"{PATH}/search", params={**own, "q": "ridge"}),
        await answer_of(client, "POST", f"{PATH}/search", json={**own, "query": "ridge"}),
    ):
        assert found["results"][0]["text"] == "Take the ridge."
        assert found["results"][0]["hearsay"] is True
    told = {**own, "query": "ridge", "assistant": False, "conversation_id": "c1"}
    found = await answer_of(client, "POST", f"{PATH}/search", json=told)
    assert all(one["role"] == "user" for one in found["results"])

    erased = await answer_of(client, "DELETE", f"{PATH}/c1", params=own)
    assert erased == {"erased": 2}
    assert await detail(await client.get(f"{PATH}/c1/messages", params=own)) == (
        404,
        "there is no conversation 'c1'",
    )
    asked = {**own, "memories": "true"}
    erased = await answer_of(client, "DELETE", f"{PATH}/c2", params=asked)
    assert erased["receipt"]["kind"] == "conversation"
    assert await answer_of(client, "GET", PATH, params=own) == {"results": []}


async def test_bad_input_is_refused_by_name(client, engine):
    """A limit, a cursor, a query or a scope that cannot be: 400 with the field."""
    await record(engine, turn("a", scope=ALICE))
    wrong = {
        "limit": [(PATH, {"limit": "101"}), (f"{PATH}/c1/messages", {"limit": "201"})],
        "cursor": [(PATH, {"cursor": "x"}), (f"{PATH}/c1/messages", {"cursor": "x"})],
        "query": [(f"{PATH}/search", {"q": " "}), (f"{PATH}/search", {})],
        "turns": [(PATH, {"turns": "1"})],
    }
    for field, requests in wrong.items():
        for path, asked in requests:
            answer = await client.get(path, params={"user_id": "alice", **asked})
            status, said = await detail(answer)
            assert status == 400
            assert field in said
    status, said = await detail(await client.get(PATH))
    assert status == 400
    assert "user_id" in said
