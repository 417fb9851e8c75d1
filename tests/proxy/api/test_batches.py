"""Many additions over HTTP, each by itself."""

from recollect.memory.model.owner import Owner
from recollect.proxy.access.rights import Grant, Right
from tests.memory.api.client_parts import build

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


async def test_what_only_programs_say_is_refused(client):
    """Of one addition, as of an addition alone; in the library it is taken."""
    one = {"messages": "x", "user_id": "alice", "infer": False, "timeout": 5}
    _, done = await batch(client, one)
    assert done["results"][0]["error"]["message"].startswith("timeout: there is no such field")
    assert (await client.post("/v1/memories", json=one)).status == 400
    async with build() as memory:
        assert (await memory.add_batch([one]))["succeeded"] == 1
