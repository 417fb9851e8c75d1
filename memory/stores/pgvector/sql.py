"""Conditions on rows with their values apart. Pure.

Every condition about a tenant's rows is made by `in_scope`, `of_tenant` or `owned`, and the tenant
is added in one place, `_bound`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ...model.types import MemoryStatus, OwnerRef, Scope
from .text import escaped


class RowCondition:
    """A condition, and the values that it is sent with."""

    def __init__(self) -> None:
        self.values: list[object] = []
        self._clauses: list[str] = []

    def copied(self) -> RowCondition:
        """The same condition, to which more can be added."""
        other = RowCondition()
        other.values, other._clauses = [*self.values], [*self._clauses]
        return other

    def value(self, value: object, kind: str) -> str:
        """The place of a value in the statement."""
        self.values.append(value)
        return f"${len(self.values)}::{kind}"

    def add(self, clause: str) -> None:
        """Let this hold too."""
        self._clauses.append(clause)

    def after(self, last: str | None) -> None:
        """Only rows with a greater id."""
        if last is not None:
            self.add(f"id > {self.value(escaped(last), 'text')}")

    @property
    def condition(self) -> str:
        return " AND ".join(self._clauses) if self._clauses else "TRUE"


def in_scope(scope: Scope, statuses: Collection[MemoryStatus]) -> RowCondition:
    """Rows that the scope admits, with one of these statuses."""
    asked = _bound(scope.tenant)
    for name, values in scope.values().items():
        _among(asked, name, values)
    wanted = asked.value(sorted(status.value for status in statuses), "text[]")
    asked.add(f"status = ANY({wanted})")
    return asked


def of_tenant(tenant: str, ids: Sequence[str] | None = None) -> RowCondition:
    """The rows of a tenant, or those with these ids."""
    asked = _bound(tenant)
    if ids is not None:
        asked.add(f"id = ANY({asked.value([escaped(each) for each in ids], 'text[]')})")
    return asked


def owned(owner_ref: OwnerRef | None) -> RowCondition:
    """Rows of a tenant, or that a scope admits, of every status.

    None: of any tenant, for upkeep and never for answering.
    """
    if owner_ref is None:
        return RowCondition()
    if isinstance(owner_ref, Scope):
        return in_scope(owner_ref, list(MemoryStatus))
    return _bound(owner_ref)


def _bound(tenant: str) -> RowCondition:
    asked = RowCondition()
    asked.add(f"tenant = {asked.value(tenant, 'text')}")
    return asked


def _among(asked: RowCondition, column: str, values: Sequence[str | None]) -> None:
    """One of these values; an id that is not set is kept as the empty string."""
    if len(values) == 1:
        asked.add(f"{column} = {asked.value(values[0] or '', 'text')}")
    else:
        asked.add(f"{column} = ANY({asked.value([one or '' for one in values], 'text[]')})")
