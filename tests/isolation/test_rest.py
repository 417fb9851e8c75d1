"""Two credentials and a stranger at one gateway: no route shows, or changes, another's memory."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any

import pytest

from recollect.memory.learn import LearnOptions
from recollect.memory.model.owner import Owner
from recollect.memory.model.types import Scope
from recollect.proxy.access.rights import Grant
from recollect.proxy.api.operations import PREFIX

from .ears import LeakError
from .gateway import Gateway, clients
from .people import SEAL

WORLDS = itertools.count(1)
CHAT = "/v1/chat/completions"


@pytest.fixture
async def gateway():
    async with Gateway(clients(next(WORLDS), ("alice", "Alice"))) as running:
        yield running


async def keep(gateway: Gateway, owner: Scope, number: int) -> str:
    """Store a statement of somebody's; its id."""
    index = gateway.people.scopes.index(owner)
    status, added = await gateway.ask(
        owner,
        "POST",
        PREFIX,
        json={"messages": gateway.people.statement(index, number), "infer": False, **owner.ids()},
    )
    assert status == 200, added
    return str(added["results"][0]["id"])


async def kept(gateway: Gateway, owner: Scope) -> list[str]:
    """The memories that the owner sees."""
    _, listed = await gateway.ask(owner, "GET", PREFIX, params={**owner.ids(), "kinds": "memory"})
    return [row["memory"] for row in listed["results"]]


async def test_forgetting_by_another_tenants_ids_erases_nothing(gateway):
    """The receipt counts them as missing; a foreign token is refused."""
    alice, bob, other, *_ = gateway.people.scopes
    memory_id, path = await keep(gateway, alice, 0), f"{PREFIX}/forget"
    ids = {"json": {"ids": [memory_id]}}
    status, receipt = await gateway.ask(other, "POST", path, sent=(memory_id,), **ids)
    assert status in {200, 404}
    assert status == 404 or not any(receipt["erased"].values())
    query = {"query": gateway.people.question(0, 0), **alice.ids()}
    _, proposed = await gateway.ask(alice, "POST", path, json=query)
    for thief in (bob, other):
        confirm = {"confirm": proposed["confirm"], **thief.ids()}
        status, _ = await gateway.ask(thief, "POST", path, json=confirm)
        assert status == 400
    assert len(await kept(gateway, alice)) == 1


async def test_jobs_are_ones_own(monkeypatch):
    """A dead job, and what the model said about it, is listed and retried by its tenant only."""
    monkeypatch.setattr(LearnOptions, "max_attempts", 1)
    async with Gateway(clients(next(WORLDS), ("alice", "Alice"))) as gateway:
        alice, _, other, *_ = gateway.people.scopes
        gateway.learns = False
        await gateway.chat(alice, CHAT, chatting(gateway, 0, 1))
        await gateway.ask(alice, "POST", f"{PREFIX}/flush", json=alice.ids())
        _, mine = await gateway.ask(alice, "GET", f"{PREFIX}/jobs")
        [job] = [each for each in mine["results"] if each["kind"] == "learn"]
        assert job["state"] == "dead"
        assert gateway.people.seal(0, 1) in job["raw"]
        _, theirs = await gateway.ask(other, "GET", f"{PREFIX}/jobs")
        assert theirs == {"results": []}
        retry = f"{PREFIX}/jobs/{job['id']}/retry"
        assert (await gateway.ask(other, "POST", retry))[0] == 404
        _, usage = await gateway.ask(other, "GET", f"{PREFIX}/usage")
        assert usage["calls"] == 0
        assert (await gateway.ask(alice, "POST", retry))[0] == 200


async def test_conversations_are_ones_own(gateway):
    """Each lists, searches, reads and erases what that one said; a foreign id is unknown."""
    path = f"{PREFIX}/conversations"
    owners: dict[str, Scope] = {}
    for number, person in enumerate(gateway.people.scopes):
        await gateway.chat(person, CHAT, chatting(gateway, number, 1))
    # Of the last one the first one sees everything: it is an agent of the same user.
    people = [one for one in gateway.people.scopes if one.tenant in {"acme", "emca"}]
    for person in people:
        _, listed = await gateway.ask(person, "GET", path, params=person.ids())
        for found in listed["results"]:
            owners.setdefault(found["id"], person)
        for about in range(len(gateway.people.scopes)):
            asked = {"q": gateway.people.question(about, 1), **person.ids()}
            await gateway.ask(person, "GET", f"{path}/search", params=asked)
    assert len(owners) >= 3
    for name, owner in owners.items():
        for person in people:
            if person.tenant == owner.tenant and person.user_id == owner.user_id:
                continue
            for method, tail in (("GET", "/messages"), ("DELETE", "")):
                asked = {"params": person.ids(), "sent": (name,)}
                status, _ = await gateway.ask(person, method, f"{path}/{name}{tail}", **asked)
                assert status == 404
        status, _ = await gateway.ask(
            owner, "GET", f"{path}/{name}/messages", params=owner.ids(), sent=(name,)
        )
        assert status == 200


async def test_a_chat_is_given_its_own_users_memories_only(gateway):
    """The same question of five people: each is told what that one said, and nothing else."""
    for number, person in enumerate(gateway.people.scopes):
        await gateway.chat(person, CHAT, chatting(gateway, number, 1))
        if person.tenant in {"acme", "emca"}:
            await gateway.ask(person, "POST", f"{PREFIX}/flush", json=person.ids())
    question = gateway.people.question(0, 1)
    seen = []
    for person in gateway.people.scopes:
        await gateway.chat(person, CHAT, {"messages": [{"role": "user", "content": question}]})
        seen.append([n for n in range(5) if gateway.people.seal(n, 1) in gateway.told[-1]])
    # The first one and the first one's agent know the same. Nobody may flush for the stranger, who
    # is told what was said.
    assert seen == [[0, 4], [1], [2], [3], [0, 4]]


def one_for_all(*_args: Any, **_more: Any) -> str:
    return "acme"


@pytest.mark.parametrize(
    "broken",
    [
        "recollect.proxy.access.identity.tenant_of",
        "recollect.proxy.access.access.api_grant",
        "one learner",
    ],
)
async def test_the_net_catches(gateway, monkeypatch, broken):
    """One tenant for all credentials, or a learner that mixes two: the first question tells."""
    alice, bob, other, *_ = gateway.people.scopes
    if broken == "one learner":
        monkeypatch.setattr("recollect.proxy.chat.threads.conversation_id_of", one_for_all)
    elif broken.endswith("api_grant"):
        monkeypatch.setattr(broken, lambda *_, **__: Grant(Owner("acme")))
    else:
        monkeypatch.setattr(broken, one_for_all)
    with pytest.raises(LeakError):
        await everything_once(gateway, alice, bob, other)


async def everything_once(gateway: Gateway, alice: Scope, bob: Scope, other: Scope) -> None:
    """Two say something, it is learned, and somebody of another tenant asks about it."""
    await keep(gateway, alice, 1)
    for speaker, person in enumerate((alice, bob)):
        await gateway.chat(person, CHAT, chatting(gateway, speaker, 2))
    for person in (alice, bob):
        await gateway.ask(person, "POST", f"{PREFIX}/flush", json=person.ids())
    question = gateway.people.question(0, 1)
    await gateway.chat(other, CHAT, {"messages": [{"role": "user", "content": question}]})
    asked = {"params": {"q": question, **other.ids()}}
    await gateway.ask(other, "GET", f"{PREFIX}/search", **asked)


async def test_the_same_questions_are_quiet_otherwise(gateway):
    """Nothing is caught where nothing is broken."""
    alice, bob, other, *_ = gateway.people.scopes
    await everything_once(gateway, alice, bob, other)


def chatting(gateway: Gateway, speaker: int, number: int) -> dict[str, Any]:
    text = gateway.people.statement(speaker, number)
    return {"messages": [{"role": "user", "content": text}], "metadata": {"session_id": "s"}}


@pytest.mark.parametrize("url", [":memory:", None])
async def test_many_at_once_are_not_mixed_up(url):
    """Everybody says, learns and asks at the same time: each is told what that one said."""
    flags = {"database.url": url, "recall.max_concurrent": 100}
    async with Gateway(clients(next(WORLDS), ("alice", "Alice")), **flags) as gateway:
        people = [*enumerate(gateway.people.scopes)]
        says = [
            gateway.chat(person, CHAT, chatting(gateway, speaker, number))
            for number in range(6)
            for speaker, person in people
        ]
        await asyncio.gather(*says)
        listed = [person for _, person in people if person.tenant in {"acme", "emca"}]
        await asyncio.gather(
            *(gateway.ask(p, "POST", f"{PREFIX}/flush", json=p.ids()) for p in listed)
        )
        gateway.told.clear()
        asks = [
            gateway.chat(person, CHAT, {"messages": [{"role": "user", "content": question}]})
            for question in (gateway.people.question(about, about) for about, _ in people)
            for _, person in people
        ]
        await asyncio.gather(*asks)
        assert len(gateway.told) == len(people) ** 2
        given = [told for told in gateway.told if any(SEAL.finditer(told))]
        assert len(given) > len(people)


async def test_ids_that_mem0s_clients_were_given_are_ones_own(gateway):
    """Of an addition, an export and a job: another tenant's are unknown."""
    alice, _, other, *_ = gateway.people.scopes
    body = {"messages": gateway.people.statement(0, 1), "infer": False, "filters": alice.ids()}
    _, added = await gateway.ask(alice, "POST", "/v3/memories/add/", json=body)
    export = {"schema": {}, "filters": alice.ids()}
    _, made = await gateway.ask(alice, "POST", "/v1/exports/", json=export)
    _, job = await gateway.ask(alice, "POST", "/v2/profiles/jobs/", json={"operation": "sample"})
    for method, path, sent in (
        ("GET", f"/v1/event/{added['event_id']}/", None),
        ("POST", "/v1/exports/get/", {"memory_export_id": made["id"]}),
        ("GET", job["status_url"], None),
    ):
        known = (added["event_id"], made["id"], job["job_id"])
        theirs, _ = await gateway.ask(other, method, path, json=sent, sent=known)
        own, _ = await gateway.ask(alice, method, path, json=sent)
        assert (theirs, own) == (404, 200), path
    _, events = await gateway.ask(other, "GET", "/v1/events/")
    assert events["results"] == []
