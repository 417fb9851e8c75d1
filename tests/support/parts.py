"""Parts in memory, some of which a test chose, composed as the product composes them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from recollect.memory.calibration import calibration_for
from recollect.memory.database.graph import SqlGraph
from recollect.memory.database.history import SqlHistory
from recollect.memory.database.scripts import ScriptRunner
from recollect.memory.database.transactions import INSIDE
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.engine.engine import Engine
from recollect.memory.engine.options import EngineOptions
from recollect.memory.memories.store import SqlMemories
from recollect.memory.records.parts import Parts
from recollect.memory.records.writing import InsidePorts, MemoryWriter
from recollect.memory.state import state_of
from recollect.memory.util.clock import CLOCK, Clock
from recollect.memory.util.tokens import ApproximateCounter
from tests.support.state import in_memory_state

IN_STATE = (
    "conversations",
    "jobs",
    "tombstones",
    "ledger",
    "usage",
    "standings",
    "offers",
    "sums",
    "runs",
)


def parts_of(**chosen: Any) -> Parts:
    """Parts by their names, those of the state too; the others are in memory and empty.

    They share one database. A chosen part is used within transactions as it is: in memory nothing
    waits.
    """
    embedder = chosen.get("embedder") or FakeEmbedder()
    state = chosen.get("state") or in_memory_state()
    own = {name: chosen[name] for name in IN_STATE if chosen.get(name)}
    scripts = getattr(state, "scripts", None) or in_memory_state().scripts
    outside = _over(scripts) | _named(chosen, ("history", "graph"))
    store = chosen.get("store") or _memories(scripts, embedder)
    inside_state = state_of(INSIDE) if hasattr(state, "scripts") else state
    inside = _over(INSIDE) | _named(chosen, ("history", "graph"))
    ports = InsidePorts(
        state=replace(inside_state, **own),
        memories=chosen.get("store") or _memories(INSIDE, embedder),
        **inside,
    )
    return Parts(
        embedder=embedder,
        calibration=chosen.get("calibration") or calibration_for(embedder.id, dim=embedder.dim),
        tokens=ApproximateCounter(),
        store=store,
        state=replace(state, **own) if own else state,
        writer=chosen.get("writer") or MemoryWriter(scripts, ports),
        **outside,
    )


def _over(scripts: ScriptRunner) -> dict[str, Any]:
    return {"history": SqlHistory(scripts), "graph": SqlGraph(scripts)}


def _named(chosen: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: chosen[name] for name in names if name in chosen}


def _memories(scripts: ScriptRunner, embedder: Any) -> SqlMemories:
    return SqlMemories(scripts, embedder_id=embedder.id, dim=embedder.dim)


def engine_of(
    model: Any = None,
    options: EngineOptions | None = None,
    *,
    models: Any = None,
    key: bytes | None = None,
    clock: Clock = CLOCK,
    **chosen: Any,
) -> Engine:
    """An engine of such parts; `model` is everybody's, unless `models` finds one."""

    async def same(_tenant: str, _model: str) -> Any:
        return model

    parts, models = parts_of(**chosen), models or same
    return Engine(parts, options or EngineOptions(), models, key=key, clock=clock)
