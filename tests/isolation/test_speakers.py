"""People who share clients of a gateway, and ids that are none, in any order."""

from __future__ import annotations

import itertools
import random
from typing import Any

from recollect.memory.model.types import Scope
from recollect.proxy.api.operations import Operation
from recollect.proxy.api.tables import ALL
from tests.support.budget import examples, paired

from .gateway import Gateway
from .people import SEAL, People
from .requesting import asked

WORLDS = itertools.count(800_001)
CHAT, RESPONSES = "/v1/chat/completions", "/v1/responses"
NO_IDS: tuple[Any, ...] = (123, 0, 1.5, True, False, [], ["bot"], {}, {"id": "bot"}, "", " ")
LABELS = ("[{}]: ", "[From: {}] ", "{{{{{}}}}}: ")
IDS = ("user_id", "agent_id", "run_id")


def group(world: int) -> People:
    """Two who speak through one client, the client itself, and their namesakes."""
    return People(
        world,
        (
            Scope(tenant="acme", user_id="bot/Tom"),
            Scope(tenant="acme", user_id="bot/Eva"),
            Scope(tenant="acme", user_id="bot"),
            Scope(tenant="acme", user_id="bot2/Tom"),
            Scope(tenant="emca", user_id="bot/Tom"),
            Scope(tenant="acme", user_id="bot/Tom", agent_id="a"),
        ),
    )


def spoken(person: Scope, text: str, form: int, *, chat: bool = True) -> dict[str, Any]:
    """A request of the client through which this one speaks; `form` says how it is named."""
    user, _, name = str(person.user_id).partition("/")
    message = {"role": "user", "content": text}
    if name and chat and form == len(LABELS):
        message["name"] = name
    elif name:
        message["content"] = LABELS[form % len(LABELS)].format(name) + text
    return {"user": user, "messages" if chat else "input": [message]}


async def test_everybody_is_told_what_they_said_themselves():
    """Through a client with a user; whoever is nobody is told nothing, and teaches nothing."""
    chosen = random.Random(7)
    async with Gateway(group(next(WORLDS)), **{"database.url": ":memory:"}) as gateway:
        people, given = gateway.people, 0
        for number in range(examples(150)):
            who = chosen.randrange(len(people.scopes))
            person, form = people.scopes[who], chosen.randrange(len(LABELS) + 1)
            route = chosen.choice((CHAT, RESPONSES))
            about = chosen.randrange(len(people.scopes))
            tells = chosen.random() < 0.5
            text = people.statement(who, number) if tells else people.question(about, number)
            body = spoken(person, text, form, chat=route == CHAT)
            if nobody := not tells and chosen.random() < 0.3:
                body["user"] = chosen.choice(NO_IDS)
            status, _ = await gateway.chat(person, route, body)
            assert status == 200
            seals = not tells and SEAL.search(gateway.told[-1]) is not None
            assert not (nobody and seals)
            given += seals
        assert given > 0
        kept = {memory.item.scope for memory in await gateway.memories()}
        assert kept <= set(people.scopes)


def named_in(operation: Operation, name: str, value: Any) -> dict[str, Any] | None:
    """What to put into a body to name somebody by this; None if there is no place for it."""
    if name in operation.in_body:
        return {name: value}
    if "filters" in operation.in_body and name == "user_id":
        return {"filters": {name: value}}
    return None


async def test_the_memory_api_refuses_what_is_no_id():
    """Every operation, for each id in its body or its filters: 400, and the field is named."""
    finite = [each for each in ALL if not each.endless and not each.streams_body]
    fields = [each for each in itertools.product(finite, IDS) if named_in(*each, "")]
    assert len(fields) > 20
    async with Gateway(group(next(WORLDS))) as gateway:
        person = gateway.people.scopes[0]
        for value, (operation, name) in paired(NO_IDS, fields, 2):
            path, more = asked(operation, person, "no-such-id")
            body = {**more.get("json", {}), **(named_in(operation, name, value) or {})}
            status, said = await gateway.ask(person, operation.method, path, json=body)
            assert (status, name in str(said)) == (400, True), (operation.path, said)
