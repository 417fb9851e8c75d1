"""Whatever is written in whatever order: the graph is the one that a rebuild makes."""

from __future__ import annotations

import asyncio

from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.memory.model.graph import EntityMerge
from recollect.memory.model.types import MemoryStatus, Scope
from tests.memory.graph.linking.world import (
    ALICE,
    ALL,
    NOON,
    World,
    edited,
    kinds,
    memory,
    rebuilt,
    said,
    version_of,
)
from tests.support.waiting import HANG_SECONDS

TEXTS = (
    "User met Anna in Oslo",
    "User's sister Anna works at Google",
    "User met Anna Schmidt in Tbilisi",
    "Anna Kowalski recommended the museum of Tbilisi",
    "User's sister has a dog called Bello",
    "Anna is the manager of Viktor Petrov",
    "Petrov is on leave in July",
    "User likes tea",
    "the friend anna sings",
    "Dr Petrov lives in Oslo with Anna S.",
)
SCOPES = (ALICE, Scope(tenant="t", user_id="alice", agent_id="a"), Scope(tenant="t", agent_id="a"))
NAMES = tuple("abcdef")

writes = st.lists(
    st.one_of(
        st.tuples(
            st.just("put"),
            st.sampled_from(NAMES),
            st.sampled_from(TEXTS),
            st.integers(0, 9),
            st.sampled_from(SCOPES),
        ),
        st.tuples(st.just("edit"), st.sampled_from(NAMES), st.sampled_from(TEXTS)),
        st.tuples(st.just("status"), st.sampled_from(NAMES), st.sampled_from(sorted(MemoryStatus))),
        st.tuples(st.just("delete"), st.sampled_from(NAMES)),
        st.tuples(st.just("merge"), st.integers(0, 9), st.integers(0, 9)),
        st.tuples(st.just("undo"), st.integers(0, 9)),
        st.tuples(st.just("wait")),
        st.tuples(st.just("reset")),
    ),
    max_size=14,
)


async def _write(world: World, step: tuple) -> None:
    match step:
        case ("put", name, text, minute, scope):
            await world.put(memory(name, text, minute, scope=scope))
        case ("edit", name, text):
            if found := await world.inner.get("t", [name]):
                await world.put(version_of(found[0]), edited(found[0], text=text))
        case ("status", name, status):
            if found := await world.inner.get("t", [name]):
                await world.put(edited(found[0], status=status))
        case ("delete", name):
            await world.store.delete("t", [name])
        case ("wait",):
            await world.graph.settled()
        case ("reset",):
            await world.store.reset("t")
        case ("merge", one, other):
            await _merge(world, one, other)
        case ("undo", number):
            await world.graph.settled()
            if ledger := await world.kept.merges("t"):
                merge = ledger[number % len(ledger)]
                await world.kept.undo_merge("t", merge.id, at=NOON)
                world.graph.changed()


async def _merge(world: World, one: int, other: int) -> None:
    """A person says that two entities are one."""
    await world.graph.settled()
    found = await world.kept.entities(ALICE, limit=100)
    if one < len(found) and other < len(found) and one != other:
        kept, gone = found[one].entity, found[other].entity
        merge = EntityMerge(
            id=f"{kept.id}{gone.id}", owner=ALICE, kept=kept.id, gone=gone.id, at=NOON, by="person"
        )
        await world.kept.merge(merge)
        world.graph.changed()


@settings(max_examples=40, deadline=None)
@given(writes)
def test_the_graph_is_what_a_rebuild_makes_of_the_store(steps):
    """Of each owner the same mentions of the same entities, relations and merges; no orphan."""

    async def run() -> None:
        world = World()
        world.graph.look()
        for step in steps:
            if step[0] not in {"merge", "undo"}:
                await _write(world, step)
        await world.graph.settled()
        other = await rebuilt(world)
        assert await said(world) == await said(other)
        assert await kinds(world) == await kinds(other)
        counts = await world.kept.counts()
        assert counts == await other.kept.counts()
        assert (counts["orphans"], counts["marks"]) == (0, 0)
        await world.close()
        await other.close()

    asyncio.run(asyncio.wait_for(run(), HANG_SECONDS))


@settings(max_examples=40, deadline=None)
@given(writes)
def test_a_rebuild_keeps_what_people_decided(steps):
    """Merges and their undoing stay, and a settled graph is not changed by being built again."""

    async def run() -> None:
        world = World()
        world.graph.look()
        for step in steps:
            await _write(world, step)
        await world.graph.settled()
        before = await said(world), await kinds(world), await world.kept.merges("t", limit=1000)
        await world.graph.rebuild()
        after = await said(world), await kinds(world), await world.kept.merges("t", limit=1000)
        assert before == after
        assert (await world.kept.counts())["orphans"] == 0
        assert await world.inner.list(ALICE, limit=None, statuses=ALL) is not None
        await world.close()

    asyncio.run(asyncio.wait_for(run(), HANG_SECONDS))
