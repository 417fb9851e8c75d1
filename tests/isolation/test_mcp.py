"""Tools and texts over `/mcp`: no call shows, or changes, another's memory."""

from __future__ import annotations

import itertools
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect.memory.tools.table import TOOLS
from tests.support.budget import examples

from .gateway import Gateway, clients
from .people import pairs

WORLDS = itertools.count(1)
SENT = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-11-25"}
TEXTS = ("label", "old", "new", "value", "text", "query", "question")
CALLS = 60
"""Of one example, among all tools and pairs."""
NAMES = [tool.name for tool in TOOLS]


async def rpc(gateway: Gateway, caller: Any, method: str, *, sent=(), ids=None, **params) -> Any:
    """What a request answers, which is listened to; `ids` are those of another scope."""
    named = caller.ids() if ids is None else ids
    query = "&".join(f"{name}={quote(value, safe='')}" for name, value in named.items())
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    path = f"/mcp?{query}"
    status, answer = await gateway.ask(caller, "POST", path, json=body, headers=SENT, sent=sent)
    assert status in {200, 400}, answer
    return answer


async def prepared(gateway: Gateway, members: list[Any]) -> dict[Any, str]:
    """A fact and a block of each, with words that only they have; the facts' ids."""
    facts = {}
    for owner in members:
        index = gateway.people.scopes.index(owner)
        text = gateway.people.statement(index, 0)
        told = await rpc(
            gateway, owner, "tools/call", name="fact_remember", arguments={"text": text}
        )
        facts[owner] = told["result"]["structuredContent"]["id"]
        blocks = gateway.view(owner.tenant).blocks
        await blocks.define(f"b{index}", value=gateway.people.statement(index, 1), **owner.ids())
    return facts


def arguments_of(tool: Any, target: str, fact: str, words: str) -> dict[str, Any]:
    """Arguments that name a fact, a block and words of another."""
    found: dict[str, Any] = {}
    for name in tool.arguments.model_fields:
        if name in {"id", "old_id", "new_id"}:
            found[name] = fact
        elif name == "label":
            found[name] = target
        elif name in TEXTS:
            found[name] = words
    if tool.name == "fact_supersede":
        del found["text"]
    return found


@settings(max_examples=examples(6), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(users=pairs, order=st.randoms(use_true_random=False))
async def test_every_tool_with_what_is_anothers(users, order):
    """Ids, labels and words of everybody else, by each member, in any order; then all is there."""
    async with Gateway(clients(next(WORLDS), users), **{"tools.validates": True}) as gateway:
        scopes = gateway.people.scopes
        members = [scopes[0], scopes[1], scopes[2], scopes[4]]
        facts = await prepared(gateway, members)
        strangers = [
            (one, other)
            for one, other in itertools.permutations(members, 2)
            # An agent of a user sees what the user has.
            if not other.admits(one) and not one.admits(other)
        ]
        asked = [(*pair, tool) for pair in strangers for tool in TOOLS]
        order.shuffle(asked)
        for one, other, tool in asked[:CALLS]:
            index = scopes.index(other)
            words = gateway.people.question(index, 0)
            arguments = arguments_of(tool, f"b{index}", facts[other], words)
            await rpc(
                gateway,
                one,
                "tools/call",
                sent=(facts[other],),
                name=tool.name,
                arguments=arguments,
            )
        for one, other in strangers:
            await rpc(gateway, one, "resources/list")
            uri = f"recollect://blocks/b{scopes.index(other)}"
            await rpc(gateway, one, "resources/read", uri=uri)
            await rpc(gateway, one, "resources/read", uri="recollect://profile")
        for owner in members:
            index = scopes.index(owner)
            shown = await gateway.view(owner.tenant).get(facts[owner])
            assert (shown["status"], shown["memory"]) == (
                "active",
                gateway.people.statement(index, 0),
            )
            block = await gateway.view(owner.tenant).blocks.get(f"b{index}", **owner.ids())
            assert (block["version"], block["value"]) == (1, gateway.people.statement(index, 1))


async def test_no_argument_names_a_scope():
    """An id of a user in the arguments is refused, whichever tool it is."""
    async with Gateway(clients(next(WORLDS), ("alice", "Alice"))) as gateway:
        alice, other = gateway.people.scopes[:2]
        await prepared(gateway, [alice, other])
        for tool, name in itertools.product(TOOLS, ("user_id", "agent_id", "tenant", "scope")):
            answer = await rpc(
                gateway, alice, "tools/call", name=tool.name, arguments={name: other.user_id}
            )
            if "result" in answer:
                assert answer["result"]["isError"]
                assert name in answer["result"]["content"][0]["text"]


@pytest.mark.parametrize("key", [None, "wrong"])
async def test_a_stranger_is_told_nothing(key):
    """Neither a tool's name nor that there is a user."""
    async with Gateway(clients(next(WORLDS), ("alice", "Alice"))) as gateway:
        alice = gateway.people.scopes[0]
        await prepared(gateway, [alice])
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        status, answer = await gateway.ask(
            alice, "POST", "/mcp?user_id=alice", json=body, headers=SENT, key=key
        )
        assert status == 401
        assert not any(name in str(answer) for name in NAMES)
