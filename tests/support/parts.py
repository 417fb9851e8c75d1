"""Parts in memory, some of which a test chose, composed as the product composes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from recollect.memory.calibration import calibration_for
from recollect.memory.embedders import FakeEmbedder
from recollect.memory.engine.engine import Engine
from recollect.memory.engine.options import EngineOptions
from recollect.memory.records.parts import Parts
from recollect.memory.state import State
from recollect.memory.state.inmemory import (
    InMemoryConversations,
    InMemoryHistory,
    InMemoryJobs,
    InMemoryLedger,
    InMemoryOffers,
    InMemoryStandings,
    InMemoryTombstones,
    InMemoryUsage,
)
from recollect.memory.stores.inmemory import InMemoryStore
from recollect.memory.util.tokens import ApproximateCounter

IN_STATE = {
    "conversations": InMemoryConversations,
    "jobs": InMemoryJobs,
    "tombstones": InMemoryTombstones,
    "ledger": InMemoryLedger,
    "standings": InMemoryStandings,
    "offers": InMemoryOffers,
}


def parts_of(**chosen: Any) -> Parts:
    """Parts by their names, those of the state too; the others are in memory and empty."""
    embedder = chosen.get("embedder") or FakeEmbedder()
    state = chosen.get("state") or _state(chosen)
    return Parts(
        embedder=embedder,
        calibration=chosen.get("calibration") or calibration_for(embedder.id, dim=embedder.dim),
        tokens=ApproximateCounter(),
        store=chosen.get("store") or InMemoryStore(dim=embedder.dim),
        state=state,
        history=chosen.get("history") or InMemoryHistory(),
    )


def _state(chosen: Mapping[str, Any]) -> State:
    made = {name: chosen.get(name) or make() for name, make in IN_STATE.items()}
    usage = chosen.get("usage") or InMemoryUsage(made["conversations"], made["tombstones"])
    return State(**made, usage=usage)


def engine_of(
    model: Any = None,
    options: EngineOptions | None = None,
    *,
    models: Any = None,
    key: bytes | None = None,
    **chosen: Any,
) -> Engine:
    """An engine of such parts; `model` is everybody's, unless `models` finds one."""

    async def same(_tenant: str, _model: str) -> Any:
        return model

    return Engine(parts_of(**chosen), options or EngineOptions(), models or same, key=key)
