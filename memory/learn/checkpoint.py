"""Serialises decisions for a job's checkpoint."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from ..model.doubts import loaded
from ..model.types import Decision, EventKind, MemoryType, Source


def dump_decisions(decisions: Sequence[Decision]) -> str:
    """Decisions as JSON."""
    return json.dumps([asdict(decision) for decision in decisions], ensure_ascii=False)


def load_decisions(checkpoint: str) -> list[Decision]:
    """The decisions of a checkpoint from `dump_decisions`.

    Raises:
        ValueError, TypeError, KeyError, AttributeError: it is damaged or of another version.
    """
    return [_decision(row) for row in json.loads(checkpoint)]


def _decision(row: dict[str, object]) -> Decision:
    # Before there were groups, a deferred ADD named one memory that it may be about.
    beside = row.pop("beside", None)
    row.pop("deferred", None)
    fields: dict[str, object] = {
        "pending": [beside] if beside else [],
        **row,
        "event": EventKind(str(row["event"])),
        "type": MemoryType(str(row["type"])),
        "source": Source(str(row.get("source", Source.EXTRACTION))),
    }
    for name in ("turn_ids", "flags", "withheld", "pending"):
        fields[name] = tuple(fields.get(name) or ())  # type: ignore[arg-type]
    fields["reasons"] = loaded(fields.get("reasons") or ())  # type: ignore[arg-type]
    return Decision(**fields)  # type: ignore[arg-type]
