"""Plays steps in a graph and in its model, and compares what every reader sees."""

from __future__ import annotations

import uuid
from dataclasses import replace

import pytest

from recollect.memory.database.graph import SqlGraph
from recollect.memory.model.errors import NotFoundError
from recollect.memory.model.graph import (
    graph_owner,
)
from recollect.memory.model.types import Scope
from tests.memory.state.contracts.graph_model import (
    SURFACES,
    GraphModel,
    GraphStep,
    key_of,
    links_for,
    owners,
    readers,
)
from tests.memory.state.contracts.graph_samples import (
    LATER,
    NOTHING,
    fall,
    joined,
)


async def play(graph: SqlGraph, steps: list[GraphStep]) -> None:
    """Do all of it in a tenant of its own, compare, and erase it."""
    tenant = uuid.uuid4().hex
    model = GraphModel(tenant)
    for number, step in enumerate(steps):
        await _do(graph, model, step, number)
    await _compare(graph, model)
    await fall(graph, list(model.links), tenant)
    for owner in owners(tenant):  # of whom nothing is left, nothing is to be linked again
        await graph.disturb(owner)
    assert await graph.counts(tenant) == NOTHING


async def _do(graph: SqlGraph, model: GraphModel, step: GraphStep, number: int) -> None:
    tenant, memory_id = model.tenant, f"m{step.memory}"
    if step.kind in {"link", "say"}:
        links, named = links_for(step, tenant)
        assert await graph.link([links], named) == frozenset()
        model.link(links, named)
    elif step.kind == "unlink":
        await fall(graph, [memory_id], tenant)
        model.unlink(memory_id)
    elif step.kind == "merge":
        owner = owners(tenant)[step.scope % 3]
        one, other = (f"e{each}-{owner.user_id}" for each in (step.one, step.other))
        entry = replace(joined(one, other, owner=owner), id=f"by hand {number}")
        if (expected := model.merge(entry)) is None:
            with pytest.raises(NotFoundError):
                await graph.merge(entry)
        else:
            assert await graph.merge(entry) == expected
    elif step.kind == "undo" and model.merges:
        entry = model.merges[step.one % len(model.merges)]
        done = await graph.undo_merge(tenant, entry.id, at=LATER)
        assert (done is not None) == model.undo(entry.id, LATER)
    elif step.kind == "erase":
        ids = [each.memory_id for each in model.seen(readers(tenant)[step.scope])]
        spoken = {m.entity_id for each in ids for m in model.links[each].mentions}
        held = await graph.held_by(tenant, ids)
        await fall(graph, ids, tenant)
        says = sum(bool(model.links[each].mentions) for each in ids)
        for each in ids:
            model.unlink(each)
        assert held == (says, len(spoken - model.entities.keys()))


async def _compare(graph: SqlGraph, model: GraphModel) -> None:
    for reader in readers(model.tenant):
        for apart in (False, True):
            listed = [
                (each.entity.id, each.entity.name, each.memories, {each.entity.name, *each.aliases})
                for each in await graph.entities(reader, apart=apart)
            ]
            assert listed == model.listed(reader, apart=apart)
        everybody = sorted(model.entities)
        told = [
            (each.relation, each.source, each.target, each.memory_id)
            for each in await graph.relations(reader, everybody[:2], limit=99)
        ]
        assert told == model.relations(reader, everybody[:2])
        counts = await graph.counts(reader)
        seen = model.seen(reader)
        assert counts["entities"] == len(model.listed(reader))
        assert counts["mentions"] == sum(len(each.mentions) for each in seen)
        assert counts["relations"] == sum(len(each.relations) for each in seen)
        for root, memories in model.spoken(reader).items():
            assert await graph.memories_of(reader, [root], limit=99) == sorted(memories)
        if isinstance(reader, Scope):
            for seeds, most in (({"m0"}, 9), ({"m1", "m2"}, 3)):
                ways = await graph.connected(reader, sorted(seeds), limit=99, most_spread=most)
                found = {each.memory_id: (each.spread, each.relation or "") for each in ways}
                visible = seeds & {each.memory_id for each in model.seen(reader)}
                expected = model.connected(reader, visible, most)
                assert found == {id_: way for id_, way in expected.items() if id_ not in seeds}
            everything = [f"m{n}" for n in range(6)]
            assert await graph.aliases(reader, everything) == model.aliases(reader)
    for owner in owners(model.tenant):
        for key in {key_of(each) for each in SURFACES}:
            ids = [each.entity.id for each in await graph.resolve(owner, [key])]
            seen = [each for each in model.seen(owner) if graph_owner(each.scope) == owner]
            called = {m.entity_id for each in seen for m in each.mentions if m.key == key}
            assert ids == sorted(called)
    assert list(await graph.merges(model.tenant)) == model.merges[::-1]
    counts = await graph.counts(model.tenant)
    assert counts["orphans"] == 0
    assert counts["entities"] == len({model.root(each) for each in model.entities})
    links = await graph.links_of(model.tenant, list(model.links))
    said = {each: replace(its, merges=()) for each, its in links.items()}
    assert said == {
        each: replace(its, merges=()) for each, its in model.links.items() if its.mentions
    }
