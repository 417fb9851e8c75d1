"""Scopes and ids as Milvus filter expressions.

Every value goes through `quoted`, and every expression about a tenant's rows through `_bound`. Two
functions name no tenant; their docstrings say what they are for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from ...model.types import MemoryStatus, OwnerRef, Scope

_ESCAPES = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def quoted(value: str) -> str:
    """The value as a string literal that Milvus and Milvus Lite read back unchanged.

    Milvus Lite knows exactly these escapes and refuses raw line breaks; Milvus knows more.
    """
    return f'"{value.translate(_ESCAPES)}"'


def in_scope(
    scope: Scope,
    statuses: Collection[MemoryStatus],
    after: str | None = None,
    *,
    where: str | None = None,
) -> str:
    """Rows the scope admits, with one of these statuses, and with an id greater than `after`.

    `where` is another expression that holds for them; in brackets, it cannot widen the scope.

    With a user the expression names the partition, so that a server searches only that one.
    """
    clauses = []
    if scope.user_id is not None:
        clauses.append(f"partition == {quoted(scope.partition)}")
    clauses += [_among(name, values) for name, values in scope.values().items()]
    clauses.append(f"status in {_listed(sorted(statuses))}")
    if after is not None:
        clauses.append(f"id > {quoted(after)}")
    if where is not None:
        clauses.append(f"({where})")
    return _bound(scope.tenant, *clauses)


def by_ids(tenant: str, ids: Iterable[str]) -> str:
    """The tenant's rows with these ids."""
    return _bound(tenant, with_ids(ids))


def of_tenant(tenant: str) -> str:
    """All rows of the tenant."""
    return _bound(tenant)


def with_ids(ids: Iterable[str]) -> str:
    """Rows with these ids of any tenant: only for replacing them, or for not doing so."""
    return f"id in {_listed(ids)}"


def owned(owner_ref: OwnerRef, after: str | None) -> str:
    """All rows of a tenant, or that a scope admits, of every status, with a greater id."""
    if isinstance(owner_ref, Scope):
        return in_scope(owner_ref, list(MemoryStatus), after)
    return _bound(owner_ref, *([] if after is None else [f"id > {quoted(after)}"]))


def any_tenant(after: str | None) -> str:
    """Rows of any tenant with an id greater than `after`: for upkeep, never for answering."""
    return f"id > {quoted(after or '')}"


def _bound(tenant: str, *clauses: str) -> str:
    """The only place that adds the tenant."""
    return " and ".join((f"tenant == {quoted(tenant)}", *clauses))


def _among(column: str, values: Sequence[str | None]) -> str:
    """One of these values; an id that is not set is kept as the empty string."""
    if len(values) == 1 and values[0] is not None:
        return f"{column} == {quoted(values[0])}"
    return f"{column} in {_listed(value or '' for value in values)}"


def _listed(values: Iterable[str]) -> str:
    return f"[{', '.join(quoted(value) for value in values)}]"
