"""What `recollect check` says of the graph, while nothing runs."""

from __future__ import annotations

from recollect.config import Settings
from recollect.memory.database.graph import SqlGraph
from recollect.memory.engine.opening import open_the_database
from recollect.memory.util.registry import Registry

from .findings import CheckFailedError, absent

SHOWN = ("entities", "relations", "merges")
_REBUILD = "run `recollect graph rebuild`"


async def check_graph(settings: Settings) -> str:
    """Its counts. A file that is not there is not made."""
    if not settings.graph.enabled:
        return "is off: graph.enabled"
    if absent(settings.database.file):
        return "nothing was linked yet"
    async with Registry() as registry:
        counts = await SqlGraph(await open_the_database(registry, settings)).counts()
    seen = ", ".join(f"{counts[name]:,} {name}" for name in SHOWN)
    if counts["orphans"]:
        raise CheckFailedError(f"{seen}, {counts['orphans']:,} orphans", _REBUILD)
    return seen
