"""Parts in memory, some of which a test chose, composed as the product composes them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from recollect.memory.calibration import calibration_for
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.engine.engine import Engine
from recollect.memory.engine.options import EngineOptions
from recollect.memory.records.parts import Parts
from recollect.memory.util.clock import CLOCK, Clock
from recollect.memory.util.tokens import ApproximateCounter
from tests.support.memories import InMemoryMemories
from tests.support.state import in_memory_graph, in_memory_history, in_memory_state

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
    "locks",
)


def parts_of(**chosen: Any) -> Parts:
    """Parts by their names, those of the state too; the others are in memory and empty."""
    embedder = chosen.get("embedder") or FakeEmbedder()
    state = chosen.get("state") or in_memory_state()
    own = {name: chosen[name] for name in IN_STATE if chosen.get(name)}
    return Parts(
        embedder=embedder,
        calibration=chosen.get("calibration") or calibration_for(embedder.id, dim=embedder.dim),
        tokens=ApproximateCounter(),
        store=chosen.get("store") or InMemoryMemories(dim=embedder.dim),
        state=replace(state, **own) if own else state,
        history=chosen.get("history") or in_memory_history(),
        graph=chosen.get("graph", in_memory_graph()),
    )


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
