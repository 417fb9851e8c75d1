"""The graph of an engine's parts: what follows its writes, and what it does in the background."""

from __future__ import annotations

import asyncio

from ..graph import LOOK_SECONDS, Graph, GraphedStore
from ..model.ports import VectorStore
from ..records.parts import Parts
from ..util.fair_thread_pool import FairThreadPool
from ..util.loops import guarded
from ..util.quiet import Pause


def with_graph(
    parts: Parts, store: VectorStore, *, bulk: FairThreadPool, pause: Pause
) -> tuple[Graph | None, VectorStore]:
    """The graph of what is in `store`, and the store with its writes followed.

    Without a graph, None and the store.
    """
    if parts.graph is None:
        return None, store
    graph = Graph(parts.graph, store, bulk=bulk, pause=pause, shared=parts.state.shared)
    return graph, GraphedStore(store, graph)


async def following(graph: Graph, *, leads: bool) -> None:
    """Look after what was left, until cancelled; whoever leads builds the graph if it must be."""
    graph.followed, built = True, not leads
    while True:
        await guarded(graph.look)
        if not built and graph.trouble is None:
            await guarded(graph.build)
            built = True
        await asyncio.sleep(LOOK_SECONDS)
