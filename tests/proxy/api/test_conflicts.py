"""`GET /v1/memories/conflicts`, settling, and undoing it, over HTTP."""

from dataclasses import replace

from recollect.memory.model.types import Provenance, StoredMemory

from .serving import add, detail


async def pending(engine, client):
    """Two memories of one matter; their ids, the newer last."""
    old, new = [await add(client, f"My rent is {number} EUR") for number in (900, 950)]
    [item] = await engine.store.get("local", [new])
    [vector] = await engine.embedder.embed([item.text])
    origin = Provenance(matter=old, pending=(old,))
    await engine.store.put([StoredMemory(replace(item, provenance=origin), vector)])
    return old, new


async def test_a_conflict_is_settled_and_undone(client, engine):
    """The list has the memory with its others; settling supersedes, `restore` brings it back."""
    old, new = await pending(engine, client)
    url = "/v1/memories/conflicts"
    [found] = (await (await client.get(url, params={"user_id": "alice"})).json())["results"]
    assert (found["memory"]["id"], [one["id"] for one in found["others"]]) == (new, [old])
    assert found["memory"]["provenance"]["pending"] == [old]
    answer = await client.post(f"/v1/memories/{new}/settle", json={"replaces": [old]})
    assert answer.status == 200, await answer.text()
    assert (await (await client.get(url, params={"user_id": "alice"})).json())["results"] == []
    ended = await (await client.get(f"/v1/memories/{old}")).json()
    assert ended["status"] == "superseded"
    assert "by hand" in ended["provenance"]["ended"]
    back = await client.post(f"/v1/memories/{old}/restore")
    assert (await back.json())["status"] == "active"


async def test_what_cannot_be_settled(client, engine):
    """A scope is needed to list, and ids that exist to settle."""
    _, new = await pending(engine, client)
    assert (await detail(await client.get("/v1/memories/conflicts")))[0] == 400
    answer = await client.post(f"/v1/memories/{new}/settle", json={"replaces": ["nobody"]})
    assert (await detail(answer))[0] == 404
    answer = await client.post(f"/v1/memories/{new}/settle", json={"replaces": "nobody"})
    status, told = await detail(answer)
    assert status in {400, 422}
    assert "replaces" in str(told)
