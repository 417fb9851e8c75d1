"""Filters as Qdrant's conditions. Pure.

A condition on an array holds in Qdrant if it holds for an element. So a condition on the metadata
only narrows, and its opposite is not said at all; those on fields of a row are exact.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from qdrant_client import models

from ...model.filters import Condition, Operator, ValueKind
from ...model.types import MemoryStatus, Scope
from ...query.narrowing import Narrowed

FACETS = "facets"
"""The metadata as an object, for filters only."""
_COLUMNS = {
    "id": "id", "memory": "text", "hash": "hash", "user_id": "user_id", "agent_id": "agent_id",
    "run_id": "run_id", "type": "type", "status": "status", "importance": "importance",
    "created_at": "created_at", "updated_at": "updated_at", "valid_from": "valid_from",
    "valid_to": "valid_to",
}  # fmt: skip
_NONE: dict[str, Any] = {
    "user_id": "",
    "agent_id": "",
    "run_id": "",
    "valid_from": 0,
    "valid_to": 0,
}
"""What stands in a field without a value."""
_BOUNDS = {Operator.GT: "gt", Operator.GTE: "gte", Operator.LT: "lt", Operator.LTE: "lte"}
_EXACT = 2**53
"""Qdrant compares numbers as floats of 64 bits."""
_NOT_SAID: Narrowed[models.Condition] = Narrowed(None, exact=False)


class QdrantLanguage:
    """Qdrant's language."""

    def never(self) -> models.Condition:
        return models.HasIdCondition(has_id=[])

    def every(self, parts: Sequence[models.Condition]) -> models.Condition:
        return models.Filter(must=list(parts))

    def some(self, parts: Sequence[models.Condition]) -> models.Condition:
        return models.Filter(should=list(parts))

    def condition(self, found: Condition, *, negated: bool) -> Narrowed[models.Condition]:
        values = found.value if isinstance(found.value, tuple) else (found.value,)
        if found.field.path:
            return _NOT_SAID if negated else _of_key(found, values)
        said = _of_column(found, values)
        if said is None:
            return _NOT_SAID
        return Narrowed(models.Filter(must_not=[said]) if negated else said, exact=True)


def in_scope(scope: Scope, statuses: Collection[MemoryStatus]) -> models.Filter:
    """Rows that the scope admits, with one of these statuses."""
    wanted = sorted(status.value for status in statuses)
    more: list[models.Condition] = [
        among(name, [value or "" for value in values]) for name, values in scope.values().items()
    ]
    return _bound(scope.tenant, *more, among("status", wanted))


def of_tenant(tenant: str) -> models.Filter:
    """The rows of a tenant."""
    return _bound(tenant)


def among(key: str, values: Sequence[str]) -> models.Condition:
    """The texts that a field may have."""
    if not values:
        return models.HasIdCondition(has_id=[])
    if len(values) == 1:
        return models.FieldCondition(key=key, match=models.MatchValue(value=values[0]))
    return models.FieldCondition(key=key, match=models.MatchAny(any=list(values)))


def _bound(tenant: str, *more: models.Condition) -> models.Filter:
    """The only place that adds the tenant."""
    return models.Filter(must=[among("tenant", [tenant]), *more])


def _of_column(found: Condition, values: Sequence[Any]) -> models.Condition | None:
    column = _COLUMNS.get(found.field.name)
    if column is None:
        return None
    is_text = found.field.kind in {ValueKind.TEXT, ValueKind.WORD}
    none = _NONE.get(found.field.name)
    given = [one for one in values if one is not None]
    if not is_text and not all(map(_fits, given)):
        return None
    match found.operator:
        case Operator.EXISTS:
            absent = _equal(column, [] if none is None else [none])
            return models.Filter(must_not=[absent])
        case Operator.EQ | Operator.IN:
            if is_text:
                given = [one for one in given if isinstance(one, str)]
            # An empty text is how a missing id is kept, and no memory has one.
            given = [one for one in given if one != none]
            return _equal(
                column, [*given, *([none] if None in values and none is not None else [])]
            )
        case Operator.GT | Operator.GTE | Operator.LT | Operator.LTE if not is_text:
            there = [] if none is None else [models.Filter(must_not=[_equal(column, [none])])]
            return models.Filter(must=[_ordered(column, found), *there])
    return None


def _of_key(found: Condition, values: Sequence[Any]) -> Narrowed[models.Condition]:
    key = _path(found.field.path)
    if key is None or not all(isinstance(one, str) or _fits(one) for one in values):
        return _NOT_SAID
    match found.operator:
        case Operator.EQ | Operator.IN:
            return Narrowed(_equal(key, values), exact=False)
        case Operator.GT | Operator.GTE | Operator.LT | Operator.LTE if _fits(found.value):
            return Narrowed(_ordered(key, found), exact=False)
    return _NOT_SAID


def _equal(key: str, values: Sequence[Any]) -> models.Condition:
    texts = [one for one in values if isinstance(one, str)]
    parts = [among(key, texts)] if texts else []
    # A number equals integers and floats only as a range.
    parts += [
        models.FieldCondition(key=key, range=models.Range(gte=one, lte=one))
        for one in values
        if not isinstance(one, str)
    ]
    if not parts:
        return models.HasIdCondition(has_id=[])
    return parts[0] if len(parts) == 1 else models.Filter(should=parts)


def _ordered(key: str, found: Condition) -> models.Condition:
    bounds: dict[str, Any] = {_BOUNDS[found.operator]: found.value}
    return models.FieldCondition(key=key, range=models.Range(**bounds))


def _path(path: Sequence[str]) -> str | None:
    """The key as Qdrant writes it; None if it cannot say it without doubt."""
    plain = all(
        name and all((c.isalnum() and c.isascii()) or c in "_-" for c in name) for name in path
    )
    return ".".join((FACETS, *path)) if plain else None


def _fits(value: object) -> bool:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return is_number and abs(value) < _EXACT  # type: ignore[arg-type]
