"""Complete requests to every operation of the memory API, and memories to ask for."""

from __future__ import annotations

from typing import Any

from recollect.memory.types import Scope
from recollect.proxy.api.operations import Operation

from .gateway import Gateway

BODIES: dict[str, dict[str, Any]] = {
    "add": {"messages": "I like tea", "infer": False},
    "forget": {"all": True},
    "feedback": {"feedback": "positive"},
    "search_posted": {"query": "bicycle"},
    "delete_by_query": {"filters": {"tag": "a"}, "dry_run": True},
    "update": {"importance": 0.5},
}


def asked(operation: Operation, scope: Scope, memory_id: str) -> tuple[str, dict[str, Any]]:
    """A request of the operation that is complete."""
    names = [part[1:-1] for part in operation.segments if part.startswith("{")]
    path = operation.path.format(**dict.fromkeys(names, memory_id))
    name = operation.handler.__name__
    body = dict(BODIES.get(name, {}))
    params = {"q": "bicycle"} if name in {"search", "explain"} else {}
    place = body if "user_id" in {f.name for f in operation.body} else params
    if "user_id" in operation.fields:
        place |= scope.ids()
    if name == "reset":
        body = {"confirm": scope.tenant}
    return path, {"params": params, **({"json": body} if operation.body else {})}


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
