"""Runs of upkeep, so that what they did can be read and undone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from .jobs import JobKind
from .types import EventKind, Scope

KEEP_RUNS_DAYS = 90
"""How long a run can be read and undone."""


@dataclass(frozen=True, slots=True)
class RunChange:
    """What a run did to one memory."""

    memory_id: str
    event: EventKind
    version: int
    """The memory's version after it; a later one means that somebody changed it since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UpkeepRun:
    """One run of a job of upkeep. Ids and figures only, no text."""

    id: str
    """That of its job."""
    scope: Scope
    kind: JobKind
    at: datetime
    reason: str
    """What asked for it: ``schedule``, ``threshold``, ``call`` and others."""
    changes: tuple[RunChange, ...] = ()
    figures: Mapping[str, float] = field(default_factory=dict)
    """What it counted, by name."""
    unasked: bool = False
    """Whether a part of it rested because no model could be asked."""
    undone_at: datetime | None = None
