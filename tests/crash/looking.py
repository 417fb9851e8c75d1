"""What a crash run left: a process that nothing disturbs opens the database and looks."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from recollect.memory.engine.engine import Engine
from recollect.memory.index.port import IndexFilter
from recollect.memory.memories.log import MemoryLog
from recollect.memory.model.types import EventKind, JobState, MemoryItem, MemoryStatus
from recollect.memory.transfer import AuditBrokenError, AuditCheck, audit_lines
from tests.crash.faults import Clock
from tests.crash.stage import PAUSE_SECONDS, Spec, Stage, finish, opened
from tests.memory.graph.linking.world import Compared, kinds, rebuilt, said

ALL = frozenset(MemoryStatus)
MOST = 1000
ORPHANS = {
    "vectors of no memory": "SELECT position FROM memory_vectors "
    "WHERE position NOT IN (SELECT position FROM memories)",
    "memories without a vector": "SELECT id FROM memories "
    "WHERE position NOT IN (SELECT position FROM memory_vectors)",
    "history of no memory": "SELECT memory_id FROM memory_history AS h WHERE NOT EXISTS "
    "(SELECT 1 FROM memories AS m WHERE m.tenant = h.tenant AND m.id = h.memory_id)",
    "links of no active memory": "SELECT memory_id FROM graph_mentions AS g WHERE NOT EXISTS "
    "(SELECT 1 FROM memories AS m WHERE m.tenant = g.tenant AND m.id = g.memory_id "
    "AND m.status = 'active' AND m.linked_version = m.version)",
    "memories that are not linked": "SELECT id FROM memories "
    "WHERE status = 'active' AND linked_version != version",
    "owners to be linked again": "SELECT * FROM graph_again",
    "upkeep that is done without a run": "SELECT id FROM jobs WHERE state = 'done' "
    "AND kind NOT IN ('learn', 'judge') AND id NOT IN (SELECT id FROM upkeep_runs)",
}
"""What must select nothing."""
_TABLES = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"


def run(given: dict[str, Any]) -> None:
    """Look at what a `Spec` names."""
    spec = Spec(**given)
    finish(spec, "found", _look(spec))


async def _look(spec: Spec) -> dict[str, Any]:
    async with opened(spec) as engine:
        stage = Stage(spec, engine, Clock())
        await stage.linked()
        parts = engine.parts
        rows, events, problems = [], [], await _orphans(engine)
        for user, scope in stage.scopes.items():
            for item in await parts.store.list(scope, limit=None, statuses=ALL):
                rows.append((user, item.id, item.text, item.status.value, item.version))
                history = await parts.history.of("local", item.id)
                events += [(item.id, each.event.value) for each in history]
                problems += _misfits(item, history)
            runs = await parts.state.runs.newest(scope, limit=100)
            versions = {item_id: version for _, item_id, *_, version in rows}
            problems += [
                f"{one.id} has not changed {change.memory_id}"
                for one in runs
                for change in one.changes
                if versions.get(change.memory_id, 0) < change.version
            ]
        dead = await parts.state.jobs.reports(state=JobState.DEAD)
        problems += await _graph(stage)
        problems += await _chain(engine, {row[1] for row in rows}, events)
        problems += await _index(engine, "the index") if spec.indexed else []
        return {
            "rows": sorted(rows),
            "events": sorted(events),
            "jobs": await parts.state.jobs.counts(),
            "problems": problems + [f"dead: {report.error}" for report in dead],
            "texts": [] if spec.in_file else await _texts(engine),
        }


def refill(given: dict[str, Any]) -> None:
    """After the folder of the index was removed: fill it from the database."""
    spec = Spec(**given)
    finish(spec, "refilled", _refill(spec))


async def _refill(spec: Spec) -> dict[str, Any]:
    async with opened(spec) as engine:
        return {"problems": await _index(engine, "the refilled index")}


async def _orphans(engine: Engine) -> list[str]:
    scripts, found = engine.parts.state.scripts, []
    for name, sql in ORPHANS.items():
        rows = await scripts.rows(sql, {}, tuple)
        found += [f"{len(rows)} {name}: {rows[:3]}"] if rows else []
    return found


def _misfits(item: MemoryItem, history: Sequence[Any]) -> list[str]:
    """What the history says that the memory is not."""
    texts = [each.new_value for each in history if each.new_value is not None]
    if texts and texts[-1] != item.text and item.provenance.superseded_by is None:
        return [f"{item.id} is {item.text!r}, its history ends with {texts[-1]!r}"]
    return []


async def _chain(engine: Engine, ids: set[str], events: Sequence[tuple[str, str]]) -> list[str]:
    """Whether the event log holds together, and tells each change of these once."""
    parts, check, told = engine.parts, AuditCheck(), Counter[tuple[str, str]]()
    lines = [part async for part in audit_lines(parts.state.deeds, parts.store, "local")]
    try:
        for line in b"".join(lines).splitlines(keepends=True):
            check.feed(line)
            event = json.loads(line)
            told.update((one["memory_id"], event["why"]) for one in event.get("lines", ()))
        check.end()
    except AuditBrokenError as error:
        return [f"the event log: {error}"]
    done = Counter(each for each in events if each[1] != EventKind.NONE)
    known = Counter({each: count for each, count in told.items() if each[0] in ids})
    more, less = known - done, done - known
    return (
        [f"the event log has {dict(more)} too many, and lacks {dict(less)}"] if more + less else []
    )


async def _graph(stage: Stage) -> list[str]:
    """Whether the graph is what a rebuild makes of the memories."""
    parts = stage.engine.parts
    assert parts.graph is not None
    own = Compared(parts.graph, parts.store, parts.embedder.dim)
    other = await rebuilt(own)
    has, wanted = await said(own), await said(other)
    same = {
        f"{set(has.items()) ^ set(wanted.items())}": has == wanted,
        "counts": await own.kept.counts() == await other.kept.counts(),
    }
    for scope in stage.scopes.values():
        same[f"kinds of {scope}"] = await kinds(own, scope) == await kinds(other, scope)
    await other.close()
    return [f"the graph: {name} is not as a rebuild makes it" for name in same if not same[name]]


async def _index(engine: Engine, name: str) -> list[str]:
    """Whether the vector index holds what the database does, once it has followed."""
    follower = engine.parts.index
    assert follower is not None
    while await follower.step() or follower.state.word != "ready":
        await asyncio.sleep(PAUSE_SECONDS)
    log = MemoryLog(engine.parts.state.scripts, embedder_id=engine.parts.embedder.id)
    rows = await log.page(0, limit=MOST)
    found = []
    for row in rows:
        hits = dict(await follower.search(row.vector, IndexFilter(row.tenant), limit=MOST))
        if hits.keys() != {each.key for each in rows}:
            found.append(f"{name} has {sorted(hits)} of {[each.key for each in rows]}")
            break
        if hits[row.key] < 0.99:
            found.append(f"{name} has another vector of {row.key}")
    return found


async def _texts(engine: Engine) -> list[str]:
    """All that is in the database of a server."""
    scripts, found = engine.parts.state.scripts, []
    for (table,) in await scripts.rows(_TABLES, {}, tuple):
        sql = f'SELECT CAST(t AS TEXT) FROM "{table}" AS t'  # noqa: S608 - its own name
        found += [text for (text,) in await scripts.rows(sql, {}, tuple)]
    return found
