"""What `recollect check` says of the graph, while nothing runs."""

from __future__ import annotations

from recollect.config import Settings
from recollect.memory.engine.opening import closing, open_the_graph
from recollect.memory.maintenance import look_at

from .findings import CheckResult

PART = "graph"
SHOWN = ("entities", "relations", "merges")
_SET_ASIDE = "start Recollect: it keeps the damaged file and reads the memories again"
_REBUILD = "run `recollect graph rebuild`"


async def check_graph(settings: Settings) -> CheckResult:
    """Its counts. A file that is not there is not made, a damaged one stays as it is."""
    if not settings.graph.enabled:
        return CheckResult(PART, ok=True, seen="is off: graph.enabled")
    found = look_at(settings, PART)
    if found.path is not None and not found.path.exists():
        return CheckResult(PART, ok=True, seen=f"{found.path} is made at the first start")
    if found.damage is not None:
        return CheckResult(PART, ok=False, seen=found.seen, mend=_SET_ASIDE)
    graph = await open_the_graph(settings)
    assert graph is not None  # noqa: S101 - it is on
    async with closing(graph):
        counts = await graph.counts()
    seen = ", ".join(f"{counts[name]:,} {name}" for name in SHOWN)
    if counts["orphans"]:
        return CheckResult(
            PART, ok=False, seen=f"{seen}, {counts['orphans']:,} orphans", mend=_REBUILD
        )
    return CheckResult(PART, ok=True, seen=seen)
