"""One process of a crash run of the graph: memories are written and linked, on real parts.

The writes are the same in every run, and each is repeated until it succeeds, as jobs do. A process
that follows a killed one goes on where that one was.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any

from recollect.memory.database import open_database
from recollect.memory.database.graph import SqlGraph
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.graph import Graph, GraphedStore
from recollect.memory.model.errors import RecollectError
from recollect.memory.model.types import MemoryItem, MemoryStatus, Scope, StoredMemory
from recollect.memory.stores import open_store
from tests.crash.disk import Disk, store_process
from tests.crash.failpoints import Failing, Point
from tests.crash.stage import Clock, Spec, database_options, fault_of, finish, store_options
from tests.memory.graph.linking.world import (
    Compared,
    edited,
    kinds,
    memory,
    rebuilt,
    said,
    version_of,
)

ANN = Scope(tenant="local", user_id="ann")
BOB = Scope(tenant="local", user_id="bob")
FULL = 3
"""So often a write is tried on a full disk before there is room again."""
SETTLED = 3
"""After each so many writes the process waits until all is linked."""

Do = Callable[[GraphedStore], Coroutine[Any, Any, None]]


def run(spec: dict[str, Any]) -> None:
    """Do what a `Spec` says."""
    finish(Spec(**spec), _run)


async def _run(spec: Spec) -> dict[str, Any]:
    embedder = FakeEmbedder()
    disk = Disk(spec.fault)
    kept = SqlGraph(await open_database(database_options(spec)))
    store = await open_store(store_options(spec), embedder_id=embedder.id, dim=embedder.dim)
    parts: dict[str, Any] = {"graph": kept, "store": store}
    if spec.point is not None:
        point = Point(**spec.point)
        disk.child = store_process(store)
        fail = fault_of(spec, Clock(), disk)
        parts = {name: Failing(part, name, point, fail) for name, part in parts.items()}
    graph = Graph(parts["graph"], parts["store"])
    await _until_linked(graph)
    await _write_all(spec, graph, GraphedStore(parts["store"], graph), disk)
    disk.heal()
    await _until_linked(graph)
    outcome = await _outcome(graph, kept, store)
    await graph.close(0)
    await store.close()
    await kept.close()
    return outcome


async def _write_all(spec: Spec, graph: Graph, store: GraphedStore, disk: Disk) -> None:
    done = Path(spec.folder) / "written"
    begun = int(done.read_text()) if done.exists() else 0
    for number, do in enumerate(_writes(FakeEmbedder())):
        if number < begun:
            continue
        for tried in itertools.count():
            try:
                await do(store)
            except RecollectError:
                await asyncio.sleep(0.05)
            else:
                break
            if tried == FULL:  # a graph that failed is left alone, so it does not count
                disk.heal()
        done.write_text(str(number + 1))
        if number % SETTLED == 0:
            await graph.settled()


def _writes(embedder: FakeEmbedder) -> list[Do]:
    """Memories are added, the last one first, and reworded, ended, brought back and deleted."""

    def put(*items: MemoryItem) -> Do:
        async def do(store: GraphedStore) -> None:
            vectors = await embedder.embed([item.text for item in items])
            await store.put([StoredMemory(*pair) for pair in zip(items, vectors, strict=True)])

        return do

    def delete(*ids: str) -> Do:
        return lambda store: store.delete("local", list(ids))

    anna = memory("a", "User met Anna Schmidt in Tbilisi", 3, scope=ANN)
    google = memory("b", "Anna works at Google", 5, scope=ANN)
    earlier = memory("c", "User's sister Anna has a dog called Bello", 1, scope=ANN)
    viktor = memory("d", "Viktor Petrov is the manager of Anna", 6, scope=ANN)
    bobs = memory("e", "User met Anna in Oslo", 2, scope=BOB)
    last = memory("f", "User flies with Anna Schmidt and Petrov to Lima", 9, scope=ANN)
    siemens = edited(google, text="Anna works at Siemens")
    ended = edited(siemens, status=MemoryStatus.SUPERSEDED)
    return [
        put(anna, google),
        put(bobs),
        put(earlier),
        put(version_of(google), siemens),
        put(viktor, last),
        put(edited(anna, status=MemoryStatus.ARCHIVED)),
        put(ended),
        put(replace(anna, version=3)),
        delete("e"),
        put(memory("g", "User met Anna in Quito", 4, scope=BOB)),
        delete("d", "c"),
    ]


async def _until_linked(graph: Graph) -> None:
    """What was left is linked, as soon as the graph answers."""
    while True:
        try:
            await graph.look()
            await graph.settled()
            if graph.trouble is None and not graph.waiting:
                return
        except RecollectError:
            pass
        await asyncio.sleep(0.05)


async def _outcome(graph: Graph, kept: Any, store: Any) -> dict[str, Any]:
    own = Compared(kept, store)
    other = await rebuilt(store)
    counts = await kept.counts()
    found = {
        "memories": len(await said(own)),
        "same": await said(own) == await said(other),
        "kinds": all([await kinds(own, each) == await kinds(other, each) for each in (ANN, BOB)]),
        "stale": await graph.stale("local"),
        "counts": counts == await other.kept.counts(),
        "orphans": counts["orphans"],
        "marks": counts["marks"],
    }
    await other.close()
    return found
