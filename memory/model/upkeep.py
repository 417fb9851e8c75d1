"""What the work in the background did to memories, so that it can be read and undone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from .jobs import JobKind
from .types import EventKind, OwnerRef, Scope

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


class UpkeepRuns(Protocol):
    """The runs of upkeep, by tenant. Every method raises StateError."""

    async def keep(self, run: UpkeepRun) -> None:
        """Keep a run durably, in place of what was kept under its id."""

    async def get(self, tenant: str, run_id: str) -> UpkeepRun | None:
        """A run of a tenant; None if there is none of this id."""

    async def newest(
        self, owner_ref: OwnerRef, *, kind: JobKind | None = None, limit: int, offset: int = 0
    ) -> list[UpkeepRun]:
        """The runs of a tenant, or of all that a scope admits, newest first."""

    async def erase(self, owner_ref: OwnerRef) -> int:
        """Remove the runs of a tenant, or of all that a scope admits; returns how many."""

    async def prune(self, *, before: datetime) -> int:
        """Remove the runs before then; returns how many."""
