"""Steps with the graph: what a scope sees of it, and what it reaches of others by their ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recollect.memory.model.errors import NotFoundError
from recollect.memory.model.types import Scope

from .api_steps import scopes
from .witness import ensure

if TYPE_CHECKING:
    from .steps import Step
    from .world import World


async def look(world: World, step: Step) -> None:
    """Entities, how each is connected, what is one, and figures: all that a scope sees."""
    caller, _ = scopes(world, step)
    graph, ids = world.api(caller).graph, caller.ids()
    listed = await world.call("look_at_graph", caller, graph.entities(**ids))
    for one in (listed or {"results": []})["results"][:3]:
        await world.call("look_at_graph", caller, graph.relations(one["id"], **ids))
        where = {"entities": one["name"]}
        found = world.api(caller).get_all(filters=where, **ids)
        await world.call("look_at_graph", caller, found)
    for asked in (graph.merges(**ids), graph.check(**ids)):
        await world.call("look_at_graph", caller, asked)


async def reach(world: World, step: Step) -> None:
    """An entity of another, by its id and by its name: it is there only if one sees it anyway."""
    caller, other = scopes(world, step)
    theirs = await _entities(world, other)
    if not theirs:
        return
    wanted = theirs[step.number % len(theirs)]["id"]
    mine = {one["id"] for one in await _entities(world, caller)}
    graph, ids = world.api(caller).graph, caller.ids()
    for asked in (graph.get(wanted, **ids), graph.relations(wanted, **ids)):
        answer = await world.call("reach_for_entity", caller, asked, sent={wanted})
        ensure(answer is None or wanted in mine, f"{caller} reached {wanted} of {other}")
    if mine and wanted not in mine:
        joined = graph.merge(wanted, min(mine), **ids)
        ensure(
            await world.call("reach_for_entity", caller, joined, sent={wanted}) is None,
            f"{caller} joined {wanted} of {other}",
        )


async def join(world: World, step: Step) -> None:
    """Two of one's own are one; somebody else tries to part them, and then one does."""
    caller, other = scopes(world, step)
    mine = await _entities(world, caller)
    if len(mine) < 2:
        return
    graph, ids = world.api(caller).graph, caller.ids()
    said = graph.merge(mine[0]["id"], mine[-1]["id"], **ids)
    joined = await world.call("join_entities", caller, said)
    if joined is None or "merge" not in joined:
        return
    merge, owner = joined["merge"]["id"], Scope(tenant=caller.tenant, **_owner(joined["entity"]))
    parting = world.api(other).graph.undo(merge, **other.ids())
    parted = await world.call("join_entities", other, parting, sent={merge})
    ensure(
        parted is None or (other.tenant == caller.tenant and other.admits(owner)),
        f"{other} parted what is {owner}'s",
    )
    if step.number % 2:
        await world.call("join_entities", caller.tenant, world.api(caller).graph.undo(merge))


def _owner(entity: dict[str, Any]) -> dict[str, str]:
    return {name: entity[name] for name in ("user_id", "agent_id", "run_id") if name in entity}


async def _entities(world: World, scope: Scope) -> list[dict[str, Any]]:
    """Those of a scope; nobody hears of it."""
    try:
        return list((await world.api(scope).entities(limit=1000, **scope.ids()))["results"])
    except NotFoundError:
        return []
