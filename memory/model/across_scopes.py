"""What is counted of more than one scope."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import date, datetime

from .types import MemoryStatus, MemoryType, Scope

Kind = tuple[MemoryType, MemoryStatus]


@dataclass(slots=True)
class ScopeCount:
    """The memories that were stored in exactly one scope."""

    first: datetime
    """When the first of them was made."""
    latest: datetime
    """When one was changed last."""
    rows: int = 0
    """Those of every status, with earlier versions."""
    active: int = 0

    def see(self, created: datetime, updated: datetime, *, active: bool) -> None:
        """Count one more."""
        self.first, self.latest = min(self.first, created), max(self.latest, updated)
        self.rows += 1
        self.active += active

    def with_those_of(self, other: ScopeCount) -> ScopeCount:
        """Both counted as one."""
        return ScopeCount(
            min(self.first, other.first),
            max(self.latest, other.latest),
            self.rows + other.rows,
            self.active + other.active,
        )


@dataclass(frozen=True, slots=True)
class Counted:
    """What a store counts of a tenant, or of all."""

    scopes: dict[Scope, ScopeCount] = field(default_factory=dict)
    told: set[str] = field(default_factory=set)
    """The turns, of those that were asked about, that active memories were learned from."""
    kinds: Counter[Kind] = field(default_factory=Counter)
    """Those of each type and status."""
    waiting: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    """Active memories that nobody judged yet, by tenant and id, with those of the same matter
    (`Provenance`), if they were asked for."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Those that waited for a person too long (`trust.review`), by tenant, if they were asked for.
    """
    days: Counter[date] = field(default_factory=Counter)
    """Those that were made on each day (UTC), without earlier versions and what has ended."""

    def see(self, scope: Scope, created: datetime, updated: datetime, kind: Kind) -> None:
        """Count one more memory of a scope."""
        counted = self.scopes.get(scope)
        if counted is None:
            counted = self.scopes[scope] = ScopeCount(created, updated)
        counted.see(created, updated, active=kind[1] is MemoryStatus.ACTIVE)
        self.kinds[kind] += 1
        if kind[1] is not MemoryStatus.SUPERSEDED:
            self.days[created.date()] += 1


@dataclass(frozen=True, slots=True)
class TurnCounts:
    """How many captured turns an owner has."""

    said: int
    """Those whose texts are kept, and that no memory took the place of."""
    unlearned: int
    """Those that await learning: the open part of conversations."""
