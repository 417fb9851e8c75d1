"""Decides when a scope is consolidated without a request. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain, zip_longest

from ...model.across_scopes import ScopeCount
from ...model.jobs import JobKind
from ...model.types import Scope
from ...model.upkeep import UpkeepRun
from .chosen_memories import TOPIC

SCHEDULE = "schedule"
"""The reason of a run: the last one is long ago."""
THRESHOLD = "threshold"
"""The reason of a run: many memories are new."""
FEWEST = 2
"""A single memory has nothing to be consolidated with."""


AFTER_MEMORIES = 50
"""A scope is consolidated once so many of its memories are new since the last time: a run compares
2,000 of them with all others, so that a few more or less neither load a machine nor are missed."""
EVERY = timedelta(days=1)
"""A scope is consolidated after this time, if anything was changed in it. The tokens of models are
counted by the day, too."""


@dataclass(frozen=True, slots=True)
class ScopeProgress:
    """The facts about a scope that decide whether it is due."""

    active: int
    """Active memories of exactly this scope."""
    first: datetime
    """When the first of its memories was made."""
    latest: datetime
    """When one was changed last."""
    last: UpkeepRun | None = None
    """Its last consolidation."""
    new: int = 0
    """Memories that were made since."""

    @property
    def changed(self) -> bool:
        """Whether something was changed since the last consolidation, or none was yet."""
        return self.last is None or self.latest > self.last.at


def is_worth_a_look(counted: ScopeCount) -> bool:
    """Whether a scope can have anything to consolidate."""
    return counted.active >= FEWEST


def due(progress: ScopeProgress, now: datetime, *, model: bool) -> str | None:
    """Why a scope is to be consolidated now; None if it is not.

    Where the last run lacked a model and there is one (`model`), the scope counts as changed.
    """
    last = progress.last
    new = progress.active if last is None else progress.new
    if new >= AFTER_MEMORIES:
        return THRESHOLD
    since = progress.first if last is None else last.at
    rested = last is not None and last.unasked and model
    late = now - since >= EVERY
    return SCHEDULE if late and (progress.changed or rested) else None


def job_name(scope: Scope, last: UpkeepRun | None, now: datetime) -> str:
    """The name of the job of a scope: whoever knows the same last run derives the same.

    One that had no model, or died, is followed by another on the next day.
    """
    told = [scope.tenant, *(f"{name}={value}" for name, value in sorted(scope.ids().items()))]
    told += ["" if last is None else last.id, now.date().isoformat()]
    return hashlib.blake2b("\0".join(told).encode(), digest_size=12).hexdigest()


def in_turn(scopes: Iterable[Scope]) -> list[Scope]:
    """The scopes with those of each tenant in turn, so that no tenant waits for a large one."""
    by_tenant: dict[str, list[Scope]] = {}
    for scope in scopes:
        by_tenant.setdefault(scope.tenant, []).append(scope)
    in_turn = chain.from_iterable(zip_longest(*by_tenant.values()))
    return [scope for scope in in_turn if scope is not None]


def exactly(runs: Iterable[UpkeepRun], scope: Scope) -> UpkeepRun | None:
    """The first of these consolidations that is of exactly this scope."""
    whole = (run for run in runs if run.kind is JobKind.CONSOLIDATE and run.reason != TOPIC)
    return next((run for run in whole if run.scope == scope), None)
