"""Many additions over HTTP, each by itself."""

from recollect.memory.model.owner import Owner
from recollect.proxy.access.rights import Grant, Right

URL = "/v1/memories/batch"


async def batch(client, *requests, **more):
    answer = await client.post(URL, json={"requests": list(requests), **more})
    return answer.status, await answer.json()


async def known(client, **ids):
    found = await (await client.get("/v1/memories", params=ids)).json()
    return sorted(each["memory"] for each in found["results"])


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
