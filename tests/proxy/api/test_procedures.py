"""Procedures over HTTP, from the run of an agent to the outcome of the next one."""

import pytest

from tests.memory.api.test_adding import GOOD, run
from tests.support.scripted import ScriptedModel

from .serving import add

URL = "/v1/memories/procedures"
AGENT = {"agent_id": "agent"}
CRITERION = "A confirmation number was answered."


async def call(client, method, path="", **asked):
    answer = await client.request(method, URL + path, **asked)
    return answer.status, await answer.json()


async def taught(client, **more):
    said = {"messages": run(), "success": CRITERION, **AGENT, **more}
    status, done = await call(client, "POST", json=said)
    assert status == 200, done
    return done


async def test_from_a_run_to_its_withdrawal(serve):
    """Added with its record, activated, found, counted, withdrawn, and only then out of search."""
    async with ScriptedModel(GOOD) as model:
        client = await serve(model=model.base_url)
        [event] = (await taught(client, metadata={"tag": "travel"}))["results"]
        assert (event["event"], event["type"]) == ("QUARANTINE", "procedural")
        path = f"/{event['id']}"
        _, listed = await call(client, "GET", params={**AGENT, "query": "book a flight"})
        [shown] = listed["results"]
        assert shown == (await call(client, "GET", path, params=AGENT))[1] | {
            name: shown[name] for name in ("score", "similarity")
        }
        assert (shown["memory"], shown["success"]) == (GOOD, CRITERION)
        assert shown["metadata"]["run"]["answer"] == "Booked."
        _, waiting = await call(client, "GET", params={**AGENT, "statuses": "active"})
        assert waiting["results"] == []
        assert (await call(client, "POST", f"{path}/activate"))[1]["status"] == "active"
        assert (await call(client, "POST", f"{path}/activate"))[0] == 400
        for status in ("active", "quarantined"):
            body = {"outcome": "failure", "reason": "no seats", **AGENT}
            _, told = await call(client, "POST", f"{path}/outcome", json=body)
            assert told["status"] == status
        assert told["outcomes"] == {"success": 0, "failure": 2}
        _, told = await call(client, "POST", f"{path}/outcome", json={"outcome": "success"})
        assert told["outcomes"] == {"success": 1, "failure": 2}


async def test_a_run_that_teaches_nothing(client):
    """It says so; no model was needed to see it."""
    assert await taught(client, messages=run()[:4]) == {
        "results": [],
        "rejected": {"no_procedure": 1},
    }


async def test_a_model_that_fails_is_no_empty_success(serve):
    """503 with the setting; nothing is stored, and there is nothing else to store."""
    async with ScriptedModel("I would rather not.") as model:
        client = await serve(model=model.base_url)
        status, told = await call(client, "POST", json={"messages": run(), **AGENT})
        assert status == 503
        assert "learn.llm" in told["detail"]
        assert "infer" not in told["detail"]
        assert (await call(client, "GET", params=AGENT))[1] == {"results": []}


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"messages": None}, "messages: "),
        ({"messages": 7}, "messages: "),
        ({"success": ""}, "success: "),
        ({"success": 7}, "success: "),
        ({"success": "x" * 2001}, "success: "),
        ({"metadata": {"run": 1}}, "metadata: "),
        ({"infer": False}, "infer: "),
        ({"agent_id": None}, "At least one of user_id"),
    ],
)
async def test_a_mistake_in_a_run_is_named(client, body, said):
    """Before a model is asked."""
    sent = {"messages": run(), **AGENT, **body}
    status, told = await call(client, "POST", json=sent)
    assert (status, told["detail"].startswith(said)) == (400, True), told


async def test_a_mistake_about_a_procedure_is_named(client):
    """Also that a memory is none, whatever is asked about it."""
    fact = await add(client, "likes tea", **AGENT)
    for tail, body in (("activate", {}), ("outcome", {"outcome": "success"})):
        assert (await call(client, "POST", f"/{fact}/{tail}", json=body))[0] == 404
    assert (await call(client, "GET", f"/{fact}"))[0] == 404
    for wrong in ({}, {"outcome": "perhaps"}, {"outcome": None}):
        status, told = await call(client, "POST", f"/{fact}/outcome", json=wrong)
        assert (status, told["detail"].split(":")[0]) == (400, "outcome")
