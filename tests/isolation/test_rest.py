"""Two credentials and a stranger at one gateway: no route shows, or changes, another's memory."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect.memory.learn import LearnOptions
from recollect.memory.model.owner import Owner
from recollect.memory.model.sight import Sight
from recollect.memory.model.types import Scope
from recollect.proxy.access.rights import Grant
from recollect.proxy.api.blocks import BLOCK_OPERATIONS
from recollect.proxy.api.conversations import CONVERSATION_OPERATIONS
from recollect.proxy.api.memories import OPERATIONS
from recollect.proxy.api.operations import PREFIX
from recollect.proxy.api.sharing import SHARE_OPERATIONS
from recollect.proxy.api.state.handlers import STATE_OPERATIONS
from recollect.proxy.api.state.operating import OPERATING_OPERATIONS
from recollect.proxy.api.tasks.handlers import TASK_OPERATIONS
from recollect.proxy.transport.paths import spellings
from tests.support.budget import examples

from .ears import LeakError
from .gateway import Gateway, clients
from .people import COMMON, SEAL, pairs

WORLDS = itertools.count(1)
CHAT, RESPONSES = "/v1/chat/completions", "/v1/responses"
CHATS, RESPONDED = spellings(CHAT), spellings(RESPONSES)
ROUTES = tuple(
    (each.method, each.path.removeprefix(PREFIX))
    for each in (
        *OPERATIONS,
        *BLOCK_OPERATIONS,
        *SHARE_OPERATIONS,
        *CONVERSATION_OPERATIONS,
        *TASK_OPERATIONS,
        *STATE_OPERATIONS,
        *OPERATING_OPERATIONS,
    )
    if not each.endless
)
OF_AN_ID = tuple(
    (method, tail.removeprefix("/{memory_id}"))
    for method, tail in ROUTES
    if tail.startswith("/{memory_id}")
)
"""Every route that names a memory."""
"""Every route with a name of its own; a new one has to be put into `named` below."""

"""Those that are answered before they are done."""


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


@pytest.mark.parametrize("state", ["inmemory", "sqlite"])
async def test_many_at_once_are_not_mixed_up(state):
    """Everybody says, learns and asks at the same time: each is told what that one said."""
    flags = {"state.backend": state, "history.backend": state, "recall.max_concurrent": 100}
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


PERSON = st.integers(0, 4)
KINDS = (
    *("say", "say", "ask", "go_on", "flush", "flush", "keep", "search", "list", "explain"),
    *("one", "one", "forget", "propose", "jobs", "usage", "common"),
    *("block", "block", "blocks", "compiled", "shares"),
    *("conversations", "conversations/search", "batch", "procedures", "consolidate", "upkeep"),
    *("episodes", "graph", "graph/dedupe"),
)
STEPS = st.tuples(st.sampled_from(KINDS), PERSON, PERSON, st.integers(0, 7))


@settings(
    deadline=None,
    database=None,
    derandomize=True,
    max_examples=examples(10),
    suppress_health_check=list(HealthCheck),
)
@given(users=pairs, plan=st.lists(STEPS, min_size=15, max_size=30))
async def test_whatever_is_asked_in_whatever_order(users, plan):
    """Chats and API calls of everybody, about everybody: what comes back is one's own."""
    async with Gateway(clients(next(WORLDS), users)) as gateway:
        for turn, (kind, who, other, number) in enumerate(plan):
            await take(gateway, kind, who, other, number, turn)


async def take(gateway: Gateway, kind: str, who: int, other: int, number: int, turn: int) -> None:
    """One step of somebody, perhaps about another."""
    caller, question = gateway.people.scopes[who], gateway.people.question(other, number)
    chat, responses = CHATS[turn % len(CHATS)], RESPONDED[turn % len(RESPONDED)]
    match kind:
        case "say":
            await gateway.chat(caller, chat, chatting(gateway, who, turn))
        case "common" | "ask":
            text = COMMON if kind == "common" else question
            await gateway.chat(caller, chat, {"messages": [{"role": "user", "content": text}]})
        case "go_on":
            previous = [*gateway.responses, "resp_0"][-1 - number % (1 + len(gateway.responses))]
            body = {"input": question, "previous_response_id": previous}
            await gateway.chat(caller, responses, body)
        case "one" | "forget":
            await by_id(gateway, caller, kind, number, turn)
        case _:
            await by_scope(gateway, caller, kind, question, turn)


async def by_id(gateway: Gateway, caller: Scope, kind: str, number: int, turn: int) -> None:
    """What a tenant asks about any memory there is."""
    ids = [*gateway.scopes] or ["x"]
    wanted = ids[(number + turn) % len(ids)]
    if kind == "forget":
        body = {"json": {"ids": [wanted]}}
        method, path = "POST", f"{PREFIX}/forget"
    else:
        method, tail = OF_AN_ID[number % len(OF_AN_ID)]
        speaker = gateway.people.scopes.index(gateway.scopes.get(wanted, caller))
        text = gateway.people.statement(speaker, turn)
        body = {"json": {"text": text}} if method == "PUT" else {}
        path = f"{PREFIX}/{wanted}{tail}"
    await gateway.ask(caller.tenant, method, path, sent=(wanted,), **body)


async def by_scope(  # noqa: PLR0912 - a table of requests
    gateway: Gateway, caller: Scope, kind: str, question: str, turn: int
) -> None:
    """What a tenant asks about one of its users, or about itself."""
    ids, path, speaker = caller.ids(), f"{PREFIX}/{kind}", gateway.people.scopes.index(caller)
    said = {"messages": gateway.people.statement(speaker, turn), "infer": bool(turn % 2)}
    forged = {"metadata": {"user_id": "y", "tenant": "emca", "status": "active"}}
    match kind:
        case "keep" | "batch":
            body = {**said, **forged}
            body = {"requests": [body]} if kind == "batch" else body
            await gateway.ask(caller, "POST", path.removesuffix("/keep"), json={**body, **ids})
        case "flush":
            await gateway.ask(caller, "POST", path, json=ids)
        case "propose":
            await gateway.ask(caller, "POST", f"{PREFIX}/forget", json={"query": question, **ids})
        case "search" | "conversations/search":
            await gateway.ask(caller, "GET", path, params={"q": question, **ids})
        case "consolidate" | "graph/dedupe":
            await gateway.ask(caller, "POST", path, json={"dry_run": bool(turn % 2), **ids})
        case "conversations" | "procedures" | "upkeep" | "graph":
            await gateway.ask(caller, "GET", path, params=ids)
        case "explain" | "episodes":
            await gateway.ask(Sight.of(caller), "GET", path, params={"q": question, **ids})
        case "list":
            await gateway.ask(caller, "GET", PREFIX, params=ids)
            asked = {"json": {"query": question, **ids}}
            await gateway.ask(Sight.of(caller), "POST", f"{PREFIX}/episodes/search", **asked)
        case "block":
            made = {"label": f"b{turn % 3}", "value": said["messages"], **ids}
            await gateway.ask(Sight.of(caller), "POST", f"{PREFIX}/blocks", json=made)
        case "shares":
            # With the whole user: what the user's agents know, the user does.
            path, to = f"{PREFIX}/blocks/b{turn % 3}/attach", {"user_id": caller.user_id}
            await gateway.ask(caller, "POST", path, json={"to": to, "rights": "write", **ids})
        case "blocks" | "compiled":
            # A user's agents see the user's blocks.
            for tail in (kind, f"blocks/b{turn % 3}/history"):
                await gateway.ask(Sight.of(caller), "GET", f"{PREFIX}/{tail}", params=ids)
        case _:
            await gateway.ask(caller.tenant, "GET", path)
