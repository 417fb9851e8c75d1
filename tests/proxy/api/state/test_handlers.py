"""The figures behind the dashboard, over HTTP."""

from tests.proxy.api.serving import add, detail

STATE = "/v1/memories/state"


async def test_the_state_of_a_tenant_and_of_a_user(client):
    """Memories by type and status, users, and the tiers; with a user that user's alone."""
    await add(client, "I like tea.")
    await add(client, "I like jazz.", user_id="bob")
    told = await (await client.get(STATE)).json()
    assert told["users"] == 2
    assert told["memories"] == {"semantic": {"active": 2}}
    assert (told["learned_today"], told["tiers"]["l2"], told["archived"]) == (2, 2, 0)
    told = await (await client.get(STATE, params={"user_id": "bob"})).json()
    assert (told["users"], told["tiers"]["l2"]) == (1, 1)


async def test_an_earlier_version_is_connected(client):
    """It leads to the memory that took its place."""
    memory_id = await add(client, "I like tea.")
    await client.put(f"/v1/memories/{memory_id}", json={"text": "I like coffee."})
    told = await (await client.get(STATE)).json()
    assert (told["connected"], told["memories"]["semantic"]["superseded"]) == (1, 1)
    assert told["learned_today"] == 1


async def test_without_memories_all_is_zero(client):
    """Nothing is missing from the answer."""
    told = await (await client.get(STATE, params={"user_id": "nobody"})).json()
    assert (told["users"], told["said"], told["memories"], told["connected"]) == (0, 0, {}, 0)
    assert told["queue"] == {"ready": 0, "leased": 0, "dead": 0, "oldest_seconds": 0}


async def test_what_it_does_not_take_is_named(client):
    """An unknown parameter is refused with the nearest one."""
    status, told = await detail(await client.get(STATE, params={"user": "ada"}))
    assert status == 400
    assert "user_id" in told
