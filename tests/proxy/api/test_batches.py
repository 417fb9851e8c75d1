"""Many additions over HTTP, each by itself."""

import json

from recollect.memory.api.batches import MAX_CONCURRENCY, MAX_REQUESTS
from recollect.memory.model.owner import Owner
from recollect.proxy.access.rights import Grant, Right
from tests.support.folding import rows

URL = "/v1/memories/batch"


async def batch(client, *requests, **more):
    answer = await client.post(URL, json={"requests": list(requests), **more})
    return answer.status, await answer.json()


async def known(client, **ids):
    found = await (await client.get("/v1/memories", params=ids)).json()
    return sorted(each["memory"] for each in found["results"])


async def test_ids_beside_them_are_for_those_without(client):
    """An addition keeps the ids that it names; one that has none at all is refused."""
    await batch(client, {"messages": "a", "infer": False, "run_id": "r"}, user_id="alice")
    assert await known(client, user_id="alice", run_id="r") == ["a"]
    _, done = await batch(client, {"messages": "b", "infer": False})
    assert done["results"][0]["error"]["code"] == "scope_required"


async def test_a_credential_of_one_user_adds_for_nobody_else(client, monkeypatch):
    """Named beside them it refuses all, named by one that one."""
    grant = Grant(Owner("local", "bob"), Right.WRITE)
    monkeypatch.setattr("recollect.proxy.access.access.api_grant", lambda *_, **__: grant)
    one = {"messages": "x", "infer": False}
    assert (await batch(client, one, user_id="alice"))[0] == 403
    _, done = await batch(client, one, {**one, "user_id": "alice"}, user_id="bob")
    assert done["results"][1]["error"]["code"] == "forbidden"
    monkeypatch.undo()
    assert await known(client, user_id="alice") == []
    assert await known(client, user_id="bob") == ["x"]


@rows(
    "body, said",
    [
        ({}, "requests: expected a list of objects"),
        ({"requests": "x"}, "requests: expected a list"),
        ({"requests": [7]}, "requests[0]: "),
        ({"requests": [{"infer": False}]}, "requests[0].messages: "),
        ({"requests": [{"messages": "x"}] * (MAX_REQUESTS + 1)}, "requests: must be at most"),
        ({"requests": [], "concurrency": 0}, "concurrency: "),
        ({"requests": [], "concurrency": MAX_CONCURRENCY + 1}, "concurrency: "),
        ({"requests": [], "filters": {}}, "filters: there is no such field"),
    ],
)
async def test_a_batch_that_is_none_is_refused_whole(client, body, said):
    """Nothing of it is stored."""
    answer = await client.post(URL, json={"user_id": "alice", **body})
    assert answer.status == 400
    assert json.loads(await answer.text())["detail"].startswith(said)
    assert await known(client, user_id="alice") == []
