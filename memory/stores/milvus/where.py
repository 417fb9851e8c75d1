"""Filters as Milvus expressions. Pure.

Conditions on columns are exact. How the metadata is asked depends on the collection (`Tells`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import Any

from ...model.filters import Condition, Filter, Operator, ValueKind
from ...query import narrowing as shared
from ...query.narrowing import Narrowed
from . import facets, texts
from .expr import quoted

_COLUMNS = {
    "id": "id", "memory": "text", "hash": "hash", "user_id": "user_id", "agent_id": "agent_id",
    "run_id": "run_id", "type": "type", "status": "status", "importance": "importance",
    "created_at": "created_at", "updated_at": "updated_at", "valid_from": "valid_from",
    "valid_to": "valid_to",
}  # fmt: skip
"""The columns of fields."""
_NONE: Mapping[str, str] = {
    "user_id": '""', "agent_id": '""', "run_id": '""', "valid_from": "0", "valid_to": "0",
}  # fmt: skip
"""What stands in a column without a value."""
_SIGNS: Mapping[Operator, str] = {
    Operator.GT: ">", Operator.GTE: ">=", Operator.LT: "<", Operator.LTE: "<=",
}  # fmt: skip
MOST_CHARS = 30_000
"""For an expression; a longer filter is answered with the memories at hand."""
_MOST = 2**63 - 1
_NEVER = 'id == ""'
"""No row has an empty id."""


class Tells(Enum):
    """What a collection tells of fields that have no column."""

    TEXT = auto()
    """Embedded: the metadata is text, which is looked into (`texts`)."""
    FACETS = auto()
    """A column of JSON (`facets`)."""


def narrowed(found: Filter, tells: Tells) -> Narrowed[str]:
    """The expression for a filter. Of `Tells.FACETS` it says nothing of rows `facets.UNKNOWN`."""
    made = shared.narrowed(found, _Expressions(tells))
    too_long = made.said is not None and len(made.said) > MOST_CHARS
    return Narrowed(None, exact=False) if too_long else made


class _Expressions:
    """Milvus' language."""

    def __init__(self, tells: Tells) -> None:
        self._tells = tells

    def never(self) -> str:
        return _NEVER

    def every(self, parts: Sequence[str]) -> str:
        return " and ".join(parts)

    def some(self, parts: Sequence[str]) -> str:
        return f"({' or '.join(parts)})"

    def condition(self, found: Condition, *, negated: bool) -> Narrowed[str]:
        if found.field.name in _COLUMNS:
            return _condition(found, negated=negated)
        match self._tells:
            case Tells.FACETS:
                return facets.said(found, negated=negated)
            case Tells.TEXT:
                return texts.said(found, negated=negated)


def _condition(found: Condition, *, negated: bool) -> Narrowed[str]:
    column = _COLUMNS[found.field.name]
    operator = found.operator
    values = found.value if isinstance(found.value, tuple) else (found.value,)
    if found.field.kind is ValueKind.NUMBER:
        values = tuple(None if one is None else float(one) for one in values)
    if not all(map(_fits, values)):
        return Narrowed(None, exact=False)
    none = _NONE.get(found.field.name)
    match operator:
        case Operator.EXISTS:
            return _existing(column, none, negated=negated)
        case Operator.EQ | Operator.IN:
            return _among(column, none, values, negated=negated)
        case Operator.CONTAINS | Operator.ICONTAINS:
            return Narrowed(None, exact=False)
    if found.field.kind in {ValueKind.TEXT, ValueKind.WORD}:
        return Narrowed(None, exact=False)  # servers order texts by bytes, we by characters
    text = f"{column} {_SIGNS[operator]} {_literal(values[0])}"
    if negated:
        there = "" if none is None else f" or {column} == {none}"
        return Narrowed(f"(not ({text}){there})", exact=True)
    return Narrowed(text if none is None else f"({text} and {column} != {none})", exact=True)


def _existing(column: str, none: str | None, *, negated: bool) -> Narrowed[str]:
    if none is None:
        return Narrowed(_NEVER if negated else None, exact=True)
    return Narrowed(f"{column} {'==' if negated else '!='} {none}", exact=True)


def _among(
    column: str, none: str | None, values: tuple[Any, ...], *, negated: bool
) -> Narrowed[str]:
    listed = [_literal(value) for value in values if value is not None]
    # An empty text is how a missing id is kept, and no memory has one.
    listed = [text for text in listed if text != none]
    if None in values and none is not None:
        listed.append(none)
    if not listed:
        return Narrowed(None if negated else _NEVER, exact=True)
    text = f"{column} in [{', '.join(listed)}]"
    return Narrowed(f"(not ({text}))" if negated else text, exact=True)


def _literal(value: Any) -> str:
    return quoted(value) if isinstance(value, str) else repr(value)


def _fits(value: object) -> bool:
    """Whether the column's type can hold it, so that the comparison means the same there."""
    if isinstance(value, str):
        return "\0" not in value
    return value is None or (isinstance(value, (int, float)) and abs(value) <= _MOST)
