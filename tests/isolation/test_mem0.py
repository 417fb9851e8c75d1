"""The routes of mem0's clients at a gateway: none shows, or changes, another tenant's memory."""

from __future__ import annotations

from typing import Any

import pytest

from recollect.memory.model.types import Scope
from recollect.proxy.api.operations import Operation
from recollect.proxy.api.tables import MEM0
from recollect.proxy.api.tables import SERVER_OPERATIONS as SERVER
from tests.proxy.api.serving import url_of
from tests.support.budget import sampled

from .gateway import Gateway, clients
from .test_rest import WORLDS, keep, kept

EVERY = [*MEM0, *SERVER]
REFUSED = {"change_project", "create_project", "delete_project", "add_member", "change_member"}
REFUSED |= {"remove_member", "create_webhook", "change_webhook", "delete_webhook", "configure"}
"""These change nothing for anybody."""


@pytest.fixture
async def gateway():
    people = clients(next(WORLDS), ("alice", "Alice"))
    async with Gateway(people, **{"api.mem0_server": True}) as running:
        yield running


def asked(operation: Operation, scope: Scope, memory_id: str, query: str) -> dict[str, Any]:
    """A request that asks for everything of a scope, or for this memory."""
    known: dict[str, Any] = {
        "messages": "I keep nothing.", "infer": False, "query": query, "text": "overwritten",
        "filters": {"user_id": scope.user_id}, "memory_id": memory_id, "feedback": "NEGATIVE",
        "memories": [{"memory_id": memory_id}], "schema": {}, "operation": "sample",
    }  # fmt: skip
    if operation.method == "PUT" and "memories" in operation.fields:
        known["memories"] = [{"memory_id": memory_id, "text": "overwritten"}]
    if "filters" not in operation.fields:
        known["user_id"] = scope.user_id
    body = {name: known[name] for name in operation.in_body if name in known}
    owner_ref = "user_id" in operation.in_query
    params = (
        {"user_id": scope.user_id} if owner_ref and "memory_id" not in operation.parameters else {}
    )
    return {"params": params, "json": body}


@pytest.mark.parametrize("operation", sampled(EVERY), ids=lambda one: one.id)
async def test_a_route_knows_one_tenant(gateway, operation):
    """The same user in another tenant is somebody else, and an id of another tenant is none."""
    alice, _, other, *_ = gateway.people.scopes
    memory_id, own = await keep(gateway, alice, 1), await keep(gateway, other, 2)
    url = url_of(
        operation, memory_id=memory_id, entity_type="user", entity_name=alice.user_id,
        entity_id=alice.user_id, organization=other.tenant, project=other.tenant,
    )  # fmt: skip
    question = gateway.people.question(0, 1)
    more = asked(operation, other, memory_id, question)
    status, said = await gateway.ask(other, operation.method, url, sent=(memory_id,), **more)
    assert status in {200, 400, 404}, said
    assert (status == 400) == (operation.id in REFUSED), said
    assert [row["id"] for row in await listed(gateway, alice)] == [memory_id]
    assert len(await kept(gateway, other)) <= 2, own


async def listed(gateway: Gateway, owner: Scope) -> list[dict[str, Any]]:
    _, found = await gateway.ask(owner, "POST", "/v3/memories/", json={"filters": owner.ids()})
    return list(found["results"])


async def test_ids_that_were_given_out_are_ones_own(gateway):
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
