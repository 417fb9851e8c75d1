"""Complete requests to every operation of the memory API, and memories to ask for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from recollect.memory.model.types import Scope
from recollect.memory.transfer import Header, end_line, header_line
from recollect.proxy.api.operations import Operation
from tests.support.tool_calls import bodies

from .gateway import Gateway

ABOUT_NOBODY = {"ping", "list_tools", "profile_settings", "set_profile_settings"}
"""Operations that say the same whoever is named."""
ITS_OWN = {"list_users", "list_events", "event", "get_profile_job", "give_feedback"}
ITS_OWN |= {"batch_update", "batch_delete"}
"""Operations without a scope that act on what is the caller's."""
VALUES: dict[str, Any] = {
    "messages": "I like tea",
    "infer": False,
    "q": "bicycle",
    "query": "bicycle",
    "question": "Which bicycle?",
    "text": "overwritten",
    "schema": {},
    "operation": "sample",
    "seconds": 1,
    "kind": "export",
    "label": "plan",
    "value": "some text",
    "old": "some",
    "new": "other",
    "to": {"run_id": "r"},
    "requests": [{"messages": "I like tea", "infer": False}],
    "outcome": "failure",
    "to_run_id": "r",
    "entity": "Anna",
    "same_as": "Bo",
    "topic": "none",
    "feedback_id": "none",
    "calls": 1,
    "rules": [],
}
"""What most operations take, by the name of the field."""
ONE_OF: dict[str, dict[str, Any]] = {
    "forget": {"all": True},
    "delete_by_query": {"filters": {"tag": "a"}, "dry_run": True},
    "update": {"importance": 0.5},
    "feedback": {"feedback": "positive"},
    "review": {"decision": "keep"},
    "add_procedure": {"messages": [{"role": "user", "content": "I like tea"}]},
    "give_feedback": {"feedback": "NEGATIVE"},
    "whatif": {
        "messages": [{"role": "user", "content": "Which bicycle?"}],
        "model": "m",
        "max_calls": 2,
    },
}
"""What others take."""


def asked(
    operation: Operation, scope: Scope, memory_id: str, named: Mapping[str, str] | None = None
) -> tuple[str, dict[str, Any]]:
    """A request of the operation that is complete; `named` are parameters of its path."""
    ids = {
        "entity_type": "user", "entity_name": quote(scope.user_id or "x", safe=""),
        "organization": quote(scope.tenant, safe=""), "project": quote(scope.tenant, safe=""),
    }  # fmt: skip
    ids["entity_id"] = ids["entity_name"]
    every = dict.fromkeys(operation.parameters, memory_id) | dict(named or {})
    path = operation.path.format(**every | ids)
    name = operation.id
    values = _values(operation, scope, memory_id)
    body = {name: values[name] for name in operation.in_body if name in values}
    params = {
        name: json.dumps(values[name]) if isinstance(values[name], dict) else str(values[name])
        for name in operation.in_query
        if name in values and name not in body and name != "filters"
    }
    if name in ONE_OF:
        body = {**ONE_OF[name], **{k: v for k, v in body.items() if k.endswith("_id")}}
    if operation.streams_body:
        lines = header_line(Header(embedder="x", dim=1, vectors=False)) + end_line(0)
        return path, {"params": params, "data": lines}
    return path, {"params": params, **({"json": body} if operation.body else {})}


def _values(operation: Operation, scope: Scope, memory_id: str) -> dict[str, Any]:
    """What to put into the fields, those that say whose memories are meant among them."""
    values = {**VALUES, "memory_id": memory_id, "confirm": scope.tenant}
    if "entity_id" in operation.fields:
        values |= {"operation": "trigger", "entity_id": scope.user_id}
    if "user_id" in operation.fields:
        values |= scope.ids()
    else:
        values["filters"] = scope.ids()
    if operation.path.startswith("/v1/memories/upkeep"):
        values["kind"] = "consolidate"
    if "arguments" in operation.fields:
        values |= bodies(memory_id)[operation.id]
    if "memories" in operation.in_body:
        text = {"text": "overwritten"} if operation.method == "PUT" else {}
        values["memories"] = [{"memory_id": memory_id, **text}]
    return values


def names_scope(operation: Operation) -> bool:
    """Whether a request of the operation says whose memories are meant."""
    named = {"user_id", "filters", "entity_id"} & operation.fields.keys()
    return bool(named or {"entity_name", "entity_id"} & set(operation.parameters))


async def fill(gateway: Gateway, *, fresh: bool = True) -> dict[Scope, str]:
    """A memory of each person, put there by the engine; its id."""
    engine, found = gateway.engine, {}
    for number, person in enumerate(gateway.people.scopes):
        memory = gateway.view(person.tenant)
        text = gateway.people.statement(number, number)
        added = await memory.add(text, infer=False, dedupe=False, **person.ids())
        found[person] = added["results"][0]["id"]
    if not fresh:
        return found
    assert len(await engine.parts.store.scan(after=None, limit=100)) == len(found)
    return found
