"""Scopes and ids as Milvus filter expressions.

Every value goes through `quoted` and every expression about rows of a tenant through `_bound`:
there is no other way to write one. The two that name no tenant say what they are for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ...types import MemoryStatus, Scope

_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def quoted(value: str) -> str:
    """The value as a string literal that both Milvus and Milvus Lite read back unchanged.

    Milvus Lite knows exactly these escapes and refuses raw line breaks; Milvus knows more.
    """
    return f'"{value.translate(_ESCAPES)}"'


def in_scope(scope: Scope, statuses: Collection[MemoryStatus], after: str | None = None) -> str:
    """Rows the scope admits, with one of these statuses, and with an id greater than `after`.

    With a user the partition is named, which lets a server look into that one only.
    """
    clauses = []
    if scope.user_id is not None:
        clauses.append(f"partition == {quoted(scope.partition)}")
    clauses += [f"{name} == {quoted(value)}" for name, value in scope.ids().items()]
    clauses.append(f"status in {_listed(sorted(statuses))}")
    if after is not None:
        clauses.append(f"id > {quoted(after)}")
    return _bound(scope.tenant, *clauses)


def by_ids(tenant: str, ids: Iterable[str]) -> str:
    """The tenant's rows with these ids."""
    return _bound(tenant, with_ids(ids))


def of_tenant(tenant: str) -> str:
    """All rows of the tenant."""
    return _bound(tenant)


def with_ids(ids: Iterable[str]) -> str:
    """Rows with these ids, whoever owns them: only for replacing them, never for answering."""
    return f"id in {_listed(ids)}"


def any_tenant(after: str | None) -> str:
    """Every row with an id after this one, whoever owns it: for upkeep, never for answering."""
    return f"id > {quoted(after or '')}"


def _bound(tenant: str, *clauses: str) -> str:
    """The one place where the tenant is added."""
    return " and ".join((f"tenant == {quoted(tenant)}", *clauses))


def _listed(values: Iterable[str]) -> str:
    return f"[{', '.join(quoted(value) for value in values)}]"
