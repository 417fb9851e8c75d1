"""Figures of one tenant, or of one user, tell nothing of another's."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from recollect.proxy.api.operations import PREFIX

from .gateway import Gateway, clients, key_of

WORLDS = itertools.count(700)
STATE = f"{PREFIX}/state"
NOTHING = {
    "users": 0,
    "said": 0,
    "memories": {},
    "archived": 0,
    "hot": 0,
    "connected": 0,
    "queue": {"ready": 0, "leased": 0, "dead": 0, "oldest_seconds": 0},
    "index": {"memories": 0, "bytes": 0},
    "learned_today": 0,
    "tiers": {"l0": 0, "l1": 0, "l2": 0},
}


@pytest.fixture
async def gateway():
    async with Gateway(clients(next(WORLDS), ("alice", "Alice"))) as running:
        yield running


async def state(gateway: Gateway, caller: Any, **ids: str) -> dict[str, Any]:
    status, told = await gateway.ask(caller, "GET", STATE, params=ids)
    assert status == 200, told
    return {name: value for name, value in told.items() if name != "counted_at"}


async def live_a_little(gateway: Gateway, index: int) -> None:
    """Somebody says something, asks for it, and has a memory."""
    person = gateway.people.scopes[index]
    said = {"role": "user", "content": gateway.people.statement(index, 0)}
    await gateway.chat(person, "/v1/chat/completions", {"messages": [said]})
    asked = {"role": "user", "content": gateway.people.question(index, 0)}
    await gateway.chat(person, "/v1/chat/completions", {"messages": [asked]})
    body = {"messages": gateway.people.statement(index, 1), "infer": False, **person.ids()}
    assert (await gateway.ask(person, "POST", PREFIX, json=body))[0] == 200


async def test_another_tenants_figures_stay_zero(gateway):
    """Turns, memories, indexes and jobs of one tenant are in no figure of another."""
    alice, _, other, *_ = gateway.people.scopes
    await live_a_little(gateway, 0)
    assert await state(gateway, other.tenant) == NOTHING
    assert await state(gateway, other, **other.ids()) == NOTHING
    own = await state(gateway, alice.tenant)
    assert (own["users"], own["memories"]["semantic"]["active"]) == (1, 1)
    assert own["said"] > 0
    assert own["hot"] == 1


async def test_another_users_figures_stay_zero(gateway):
    """The same between two users of one tenant."""
    alice, bob, *_ = gateway.people.scopes
    await live_a_little(gateway, 0)
    assert await state(gateway, bob, **bob.ids()) == NOTHING
    assert (await state(gateway, alice, **alice.ids()))["tiers"]["l2"] == 1


async def chats_of(gateway: Gateway, caller: Any, **ids: str) -> list[dict[str, Any]]:
    status, told = await gateway.ask(caller, "GET", f"{PREFIX}/recent", params=ids)
    assert status == 200, told
    return list(told["exchanges"])


async def test_the_last_chats_are_ones_own(gateway):
    """A tenant sees its users' chats, a user its own; the texts are of memories that it may see."""
    alice, bob, other, *_ = gateway.people.scopes
    for index in (0, 1, 2):
        await live_a_little(gateway, index)
    for person in (alice, bob, other):
        own = await chats_of(gateway, person, **person.ids())
        assert {chat["user_id"] for chat in own} == {person.user_id}
        assert any(line["memory"] for chat in own for line in chat["recalled"])
    assert len(await chats_of(gateway, alice.tenant)) == 4
    assert len(await chats_of(gateway, other.tenant)) == 2


async def test_a_stream_of_chats_is_ones_own(gateway):
    """What is told while somebody listens, and what was told just before, is the tenant's only."""
    alice, _, other, *_ = gateway.people.scopes
    headers = {"Authorization": f"Bearer {key_of(other)}", "Accept": "application/x-ndjson"}
    await live_a_little(gateway, 0)
    async with gateway._client.get(f"{PREFIX}/live", headers=headers) as answer:
        await live_a_little(gateway, 2)
        told = ""
        while told.count('"outcome"') < 2:
            told += (await answer.content.readline()).decode()
    gateway.ears.hear(other.tenant, told)
    assert gateway.people.foreign(told, lambda owner: owner.tenant == other.tenant) == []
    assert f'"user_id": "{alice.user_id}"' in told  # of the same name in the other tenant


async def test_a_forgotten_users_chats_are_gone(gateway):
    """Who forgets everything of a user is not told of that user's chats any more."""
    alice, bob, *_ = gateway.people.scopes
    for index in (0, 1):
        await live_a_little(gateway, index)
    body = {"all": True, **alice.ids()}
    assert (await gateway.ask(alice, "POST", f"{PREFIX}/forget", json=body))[0] == 200
    assert await chats_of(gateway, alice, **alice.ids()) == []
    assert len(await chats_of(gateway, bob, **bob.ids())) == 2


async def test_why_not_tells_nothing_of_others(gateway):
    """What another said, by its words or its id, was never stored: also after it was forgotten."""
    alice, bob, other, *_ = gateway.people.scopes
    body = {"messages": gateway.people.statement(0, 1), "infer": False, **alice.ids()}
    _, added = await gateway.ask(alice, "POST", PREFIX, json=body)
    memory_id = added["results"][0]["id"]

    async def asked(caller: Any, **about: str) -> Any:
        sent = tuple(about.values())
        params = {**caller.ids(), "q": gateway.people.question(0, 1), **about}
        path = f"{PREFIX}/whynot"
        status, told = await gateway.ask(caller, "GET", path, params=params, sent=sent)
        assert status == 200, told
        return told["verdict"], told["memory"], told["nearest"]

    nothing = ("never_stored", None, [])
    said = "My sister works at"  # a text in a path is in the logs of servers
    for about in ({"memory_id": memory_id}, {"text": said}):
        assert (await asked(alice, **about))[0] != "never_stored"
    for thief in (bob, other):
        assert await asked(thief, memory_id=memory_id) == nothing
        assert await asked(thief, text=said) == nothing
    forgetting = {"ids": [memory_id]}
    await gateway.ask(alice, "POST", f"{PREFIX}/forget", json=forgetting, sent=(memory_id,))
    assert await asked(other, memory_id=memory_id) == nothing


async def test_a_map_is_ones_own(gateway):
    """Its points are memories of the scope that is asked for."""
    for index in (0, 1, 2):
        await live_a_little(gateway, index)
    for person in gateway.people.scopes[:3]:
        status, told = await gateway.ask(person, "GET", f"{PREFIX}/map", params=person.ids())
        assert (status, len(told["points"])) == (200, 1)
