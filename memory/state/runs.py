"""A run of upkeep as the JSON that the state keeps."""

from __future__ import annotations

import json

from ..model.jobs import JobKind
from ..model.times import from_ms, to_ms
from ..model.types import EventKind, Scope
from ..model.upkeep import RunChange, UpkeepRun
from .rows import named


def written_run(run: UpkeepRun) -> str:
    """The run as JSON."""
    told = {
        "id": run.id,
        "scope": named(run.scope),
        "kind": run.kind.value,
        "at": to_ms(run.at),
        "reason": run.reason,
        "changes": [[one.memory_id, one.event.value, one.version] for one in run.changes],
        "figures": dict(run.figures),
        "unasked": run.unasked,
        "complete": run.complete,
        "undone_at": None if run.undone_at is None else to_ms(run.undone_at),
    }
    return json.dumps(told, separators=(",", ":"))


def read_run(text: str) -> UpkeepRun:
    """The run that `written_run` wrote."""
    told = json.loads(text)
    undone = told["undone_at"]
    return UpkeepRun(
        id=told["id"],
        scope=Scope(**told["scope"]),
        kind=JobKind(told["kind"]),
        at=from_ms(told["at"]),
        reason=told["reason"],
        changes=tuple(
            RunChange(memory_id, EventKind(event), version)
            for memory_id, event, version in told["changes"]
        ),
        figures=told["figures"],
        unasked=told["unasked"],
        complete=told["complete"],
        undone_at=None if undone is None else from_ms(undone),
    )
