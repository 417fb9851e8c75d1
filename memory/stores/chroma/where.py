"""Filters as Chroma's conditions. Pure.

Every row has a value in every field, so that conditions on fields are exact, and so are their
opposites. Of the metadata only the texts are kept for filters.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from ...model.filters import Condition, Operator, ValueKind
from ...model.types import MemoryStatus, Scope
from ...query.narrowing import Narrowed
from ..shared.points import RANK

Where = dict[str, Any]

FACET = "m:"
"""What the keys of texts in the metadata begin with."""
_MOST_FACETS = 64
_FACET_CHARS = 256
_COLUMNS = {
    "id": "id", "memory": "text", "hash": "hash", "user_id": "user_id", "agent_id": "agent_id",
    "run_id": "run_id", "type": "type", "status": "status", "importance": "importance",
    "created_at": "created_at", "updated_at": "updated_at", "valid_from": "valid_from",
    "valid_to": "valid_to",
}  # fmt: skip
_NONE: Mapping[str, Any] = {
    "user_id": "", "agent_id": "", "run_id": "", "valid_from": 0, "valid_to": 0,
}  # fmt: skip
"""What stands in a field without a value."""
_SIGNS = {Operator.GT: "$gt", Operator.GTE: "$gte", Operator.LT: "$lt", Operator.LTE: "$lte"}
_OPPOSITE = {
    "$gt": "$lte", "$gte": "$lt", "$lt": "$gte", "$lte": "$gt", "$in": "$nin", "$nin": "$in",
}  # fmt: skip
_MOST = 2**53
_NEVER: Where = {RANK: {"$lt": 0}}
_ALWAYS: Where = {RANK: {"$gte": 0}}
_NOT_SAID: Narrowed[Where] = Narrowed(None, exact=False)


class ChromaLanguage:
    """Chroma's language."""

    def never(self) -> Where:
        return _NEVER

    def every(self, parts: Sequence[Where]) -> Where:
        return parts[0] if len(parts) == 1 else {"$and": list(parts)}

    def some(self, parts: Sequence[Where]) -> Where:
        return parts[0] if len(parts) == 1 else {"$or": list(parts)}

    def condition(self, found: Condition, *, negated: bool) -> Narrowed[Where]:
        values = found.value if isinstance(found.value, tuple) else (found.value,)
        if found.field.path:
            return _NOT_SAID if negated else _of_key(found, values)
        said = _of_column(found, values, negated=negated)
        return _NOT_SAID if said is None else Narrowed(said, exact=True)


def in_scope(scope: Scope, statuses: Collection[MemoryStatus]) -> Where:
    """Rows that the scope admits, with one of these statuses."""
    wanted = sorted(status.value for status in statuses)
    if not wanted:
        return _NEVER
    more = [among(name, [v or "" for v in values]) for name, values in scope.values().items()]
    return _bound(scope.tenant, *more, among("status", wanted))


def of_tenant(tenant: str) -> Where:
    """The rows of a tenant."""
    return _bound(tenant)


def among(key: str, values: Sequence[Any]) -> Where:
    """The values that a field may have; at least one."""
    return {key: {"$in": list(values)}}


def facets(metadata: Mapping[str, Any]) -> Where:
    """The texts of the metadata, by the paths that lead to them: those that are short."""
    found: Where = {}
    for path, value in _texts(metadata, ""):
        if len(found) < _MOST_FACETS:
            found[FACET + path] = value
    return found


def _texts(value: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, str]]:
    for name, one in value.items():
        path = f"{prefix}{name}"
        if isinstance(one, str) and len(one) <= _FACET_CHARS and len(path) <= _FACET_CHARS:
            yield path, one
        elif isinstance(one, Mapping):
            yield from _texts(one, path + ".")


def _bound(tenant: str, *more: Where) -> Where:
    """The only place that adds the tenant."""
    return ChromaLanguage().every([{"tenant": {"$eq": tenant}}, *more])


def _of_column(found: Condition, values: Sequence[Any], *, negated: bool) -> Where | None:
    column = _COLUMNS.get(found.field.name)
    is_text = found.field.kind in {ValueKind.TEXT, ValueKind.WORD}
    given = [one for one in values if one is not None]
    if column is None or (not is_text and not all(map(_fits, given))):
        return None
    none = _NONE.get(found.field.name)
    match found.operator:
        case Operator.EXISTS:
            return _listed(column, [] if none is None else [none], negated=not negated)
        case Operator.EQ | Operator.IN:
            wanted = [one for one in given if not is_text or isinstance(one, str)]
            # An empty text is how a missing id is kept, and no memory has one.
            wanted = [_typed(column, one) for one in wanted if one != none]
            if None in values and none is not None:
                wanted.append(none)
            return _listed(column, wanted, negated=negated)
        case Operator.GT | Operator.GTE | Operator.LT | Operator.LTE if not is_text:
            return _ordered(column, found, none, negated=negated)
    return None


def _listed(column: str, values: Sequence[Any], *, negated: bool) -> Where:
    if None in values:
        return _NEVER
    if not values:
        return _ALWAYS if negated else _NEVER
    return {column: {"$nin" if negated else "$in": list(values)}}


def _ordered(column: str, found: Condition, none: Any, *, negated: bool) -> Where | None:
    value = found.value
    sign = _SIGNS[found.operator]
    if isinstance(value, float) and column != "importance":
        if not value.is_integer():
            return None
        value = int(value)
    typed = _typed(column, value)
    test: Where = {column: {_OPPOSITE[sign] if negated else sign: typed}}
    if none is None:
        return test
    if negated:
        return {"$or": [test, {column: {"$in": [none]}}]}
    return {"$and": [test, {column: {"$nin": [none]}}]}


def _typed(column: str, value: Any) -> Any:
    """Chroma compares a number only with those of its own type."""
    if column == "importance":
        return float(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _of_key(found: Condition, values: Sequence[Any]) -> Narrowed[Where]:
    path = ".".join(found.field.path)
    short = all(isinstance(one, str) and 0 < len(one) <= _FACET_CHARS for one in values)
    if found.operator not in {Operator.EQ, Operator.IN} or not values or not short:
        return _NOT_SAID
    if len(path) > _FACET_CHARS:
        return _NOT_SAID
    return Narrowed(among(FACET + path, values), exact=False)


def _fits(value: object) -> bool:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return is_number and abs(value) < _MOST  # type: ignore[arg-type]
