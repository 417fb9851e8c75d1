"""Conditions on the rows of memories, with their values apart. Pure.

Every condition about somebody's rows is made by `in_scope`, `of_tenant` or `owned`, and begins with
the tenant.
"""

from __future__ import annotations

from collections.abc import Collection

from ..model.types import MemoryStatus, OwnerRef, Scope
from .rows import owner_of


class RowConditions:
    """A condition on rows of a tenant, and its values by name; None: of any tenant."""

    def __init__(self, tenant: str | None) -> None:
        self.values: dict[str, object] = {}
        self.by_id = True
        """Whether an index has them in the order of their ids, and no others among them."""
        self._clauses: list[str] = []
        if tenant is not None:
            self.add(f"tenant = {self.value(tenant)}")

    def copied(self) -> RowConditions:
        """The same condition, to which more can be added."""
        other = RowConditions(None)
        other.values, other._clauses = {**self.values}, [*self._clauses]
        other.by_id = self.by_id
        return other

    def value(self, value: object) -> str:
        """The place of a value in the statement. It is the only one: each use has its own type."""
        name = f"v{len(self.values)}"
        self.values[name] = value
        return f":{name}"

    def among(self, column: str, values: Collection[str]) -> str:
        """What says that a column has one of these texts."""
        return f"{column} IN {self.value(sorted(values))}[]"

    def add(self, clause: str) -> None:
        """Let this hold too."""
        self._clauses.append(clause)

    @property
    def condition(self) -> str:
        return " AND ".join(self._clauses) if self._clauses else "1 = 1"


def in_scope(scope: Scope, statuses: Collection[MemoryStatus]) -> RowConditions:
    """Rows that the scope admits, with one of these statuses."""
    asked = _in_scope(scope)
    asked.add(asked.among("status", [status.value for status in statuses]))
    return asked


def of_tenant(tenant: str, ids: Collection[str] | None = None) -> RowConditions:
    """The rows of a tenant, or those with these ids."""
    asked = RowConditions(tenant)
    if ids is not None:
        asked.add(asked.among("id", set(ids)))
    return asked


def owned(owner_ref: OwnerRef | None) -> RowConditions:
    """Rows of a tenant, or that a scope admits, of every status.

    None: of any tenant, for upkeep and never for answering.
    """
    if owner_ref is None:
        return RowConditions(None)
    return _in_scope(owner_ref) if isinstance(owner_ref, Scope) else RowConditions(owner_ref)


def _in_scope(scope: Scope) -> RowConditions:
    asked = RowConditions(scope.tenant)
    asked.by_id = scope.user_id is not None
    for column, values in scope.values().items():
        if column == "user_id":
            # The index knows the digest; who it is of, the ids alone say.
            [user_id] = values
            asked.add(f"owner = {asked.value(owner_of(scope.tenant, user_id))}")
        if len(values) == 1:
            asked.add(f"{column} = {asked.value(values[0])}")
            asked.add(f"{column} != ''")
        else:
            asked.add(asked.among(column, [value or "" for value in values]))
    return asked
