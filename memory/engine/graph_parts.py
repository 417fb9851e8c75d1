"""The graph of an engine's parts: what follows its writes, and what it does in the background."""

from __future__ import annotations

from ..graph import LOOK_SECONDS, Graph
from ..records.parts import Parts
from ..records.writing import MemoryWriter
from ..util.fair_thread_pool import FairThreadPool
from ..util.idle_gate import Pause
from ..util.loops import guarded, repeat


def graph_of(
    parts: Parts, writer: MemoryWriter, *, bulk: FairThreadPool, pause: Pause
) -> Graph | None:
    """The graph of the memories; None if none is kept."""
    if parts.graph is None:
        return None
    return Graph(parts.graph, parts.store, writer, bulk=bulk, pause=pause)


async def following(graph: Graph, *, leads: bool, alone: bool) -> None:
    """Look after what was left, until cancelled; whoever leads builds the graph if it must be.

    One that is `alone` with the database left nothing but what failed.
    """
    graph.followed, built = True, not leads
    looked = False

    async def look() -> None:
        nonlocal built, looked
        if not (alone and looked) or graph.trouble is not None:
            graph.look()
        looked = True
        if not built:
            await graph.build()
            built = True

    await guarded(look)
    await repeat(LOOK_SECONDS, look)
