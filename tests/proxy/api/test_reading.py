"""Reading a memory never makes it look newer, on whatever way it is read."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from recollect.memory.model.types import MemoryItem, StoredMemory, utc_now
from recollect.memory.model.usage import UseKind
from recollect.proxy.access.rights import Right
from recollect.proxy.api.tables import ALL, SERVER_OPERATIONS
from tests.isolation.gateway import Gateway, clients
from tests.isolation.requesting import asked

READING = tuple(
    each for each in (*ALL, *SERVER_OPERATIONS) if each.right is Right.READ and not each.endless
)
"""Every operation that a credential for reading may ask for."""
OTHER_THINGS = {"create_task", "cancel_task"}
"""What makes or ends a task of one's own; a task that reads is read by its file."""


@pytest.fixture
async def gateway():
    async with Gateway(clients(4711, ("alice", "Alice"))) as running:
        yield running


async def kept(gateway: Gateway) -> dict[str, MemoryItem]:
    """Every row as it is stored."""
    rows = await gateway.engine.parts.store.scan(after=None, limit=1000)
    return {row.item.id: row.item for row in rows}


async def ordered(gateway: Gateway) -> Any:
    """The ids in the order in which a list and a search have them."""
    memory = gateway.view("acme")
    listed = await memory.get_all(user_id="alice")
    found = await memory.search("bicycle", user_id="alice")
    return [[each["id"] for each in one["results"]] for one in (listed, found)]


async def test_no_way_of_reading_changes_a_row_or_an_order(gateway):
    """Every operation of the API that reads, each tool that reads, an export, chats: nothing moves."""
    scope = gateway.people.scopes[0]
    memory = gateway.view("acme")
    ids = []
    for number in range(4):
        text = f"{gateway.people.statement(0, number)} It is about a bicycle."
        added = await memory.add(text, user_id="alice", infer=False)
        ids.append(added["results"][0]["id"])
    edited = await memory.update(ids[1], metadata={"seen": 1})
    await memory.invalidate(ids[2])
    await memory.revert(ids[2])
    rows, order = await kept(gateway), await ordered(gateway)
    assert edited["id"] in order[0]
    statuses = {}
    for operation in READING:
        if operation.id in OTHER_THINGS:
            continue
        path, more = asked(operation, scope, ids[0])
        status, _ = await gateway.ask(scope, operation.method, path, sent=tuple(ids), **more)
        statuses[operation.id] = status
    assert sum(status == 200 for status in statuses.values()) > 30, statuses
    for tool in memory.tools(user_id="alice", read_only=True).openai():
        path = f"/v1/memories/tools/{tool['function']['name']}"
        body = {"arguments": {"id": ids[0], "query": "bicycle"}, "user_id": "alice"}
        await gateway.ask(scope, "POST", path, sent=tuple(ids), json=body)
    async for _ in memory.export_lines(user_id="alice"):
        pass
    for _ in range(3):
        body = {"messages": [{"role": "user", "content": "Which bicycle do I have?"}]}
        await gateway.chat(scope, "/v1/chat/completions", body)
    await gateway.engine.background.count_recalls()
    assert await kept(gateway) == rows
    assert await ordered(gateway) == order


async def test_an_often_recalled_fact_is_not_newer_than_its_successor(gateway):
    """Of two facts of one matter that fit equally, the newer is first, however often the other was read."""
    engine, memory = gateway.engine, gateway.view("acme")
    told = [
        await memory.add("My bicycle is in the shed.", user_id="alice", infer=False, dedupe=False)
        for _ in range(2)
    ]
    old, new = (one["results"][0]["id"] for one in told)
    for name, days in ((old, 90), (new, 60)):
        [item] = await engine.parts.store.get("acme", [name])
        at = utc_now() - timedelta(days=days)
        moved = replace(item, created_at=at, updated_at=at, valid_from=at,
                        provenance=replace(item.provenance, matter=old))  # fmt: skip
        [vector] = await engine.parts.embedder.embed([item.text])
        await engine.parts.store.put([StoredMemory(moved, vector)])

    async def first() -> Any:
        found = await memory.search("Where is my bicycle?", user_id="alice")
        return found["results"][0]["id"]

    assert await first() == new
    usage = engine.parts.state.usage
    for number in range(100):
        occasion = f"chat {number}"
        await usage.count("acme", UseKind.RECALLED, [old], occasion=occasion, at=utc_now())
    await engine.recaller.indexes.uncertain({"acme"})
    assert (await memory.get(old))["access_count"] == 100
    assert await first() == new
