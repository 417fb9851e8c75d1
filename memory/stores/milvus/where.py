"""Filters as Milvus expressions. Pure.

Metadata and provenance are JSON texts in their columns, so only conditions on columns become part
of an expression. What remains is answered with a memory at hand: `narrowed` gives an expression
that admits at least what the filter admits, and says whether it admits nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ...model.filters import OPPOSITE, AllOf, AnyOf, Condition, Filter, Not, Operator, ValueKind
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


class Narrowed(NamedTuple):
    """An expression for a filter."""

    text: str | None
    """None: it admits every row."""
    exact: bool
    """Whether it admits no row that the filter does not."""


def narrowed(found: Filter) -> Narrowed:
    """The expression for a filter, of its conditions on columns."""
    made = _narrowed(found, negated=False)
    too_long = made.text is not None and len(made.text) > MOST_CHARS
    return Narrowed(None, exact=False) if too_long else made


def _narrowed(found: Filter, *, negated: bool) -> Narrowed:
    match found:
        case Condition():
            return _condition(found, negated=negated)
        case Not(part):
            return _narrowed(part, negated=not negated)
        case AllOf(parts) | AnyOf(parts):
            every = isinstance(found, AllOf) is not negated
            inner = [_narrowed(part, negated=negated) for part in parts]
            return _every(inner) if every else _some(inner)


def _every(parts: list[Narrowed]) -> Narrowed:
    texts = [part.text for part in parts if part.text is not None]
    exact = all(part.exact for part in parts)
    return Narrowed(" and ".join(texts) if texts else None, exact)


def _some(parts: list[Narrowed]) -> Narrowed:
    if not parts:
        return Narrowed(_NEVER, exact=True)
    exact = all(part.exact for part in parts)
    texts = [part.text for part in parts if part.text is not None]
    if len(texts) < len(parts):
        return Narrowed(None, exact)
    return Narrowed(f"({' or '.join(texts)})", exact)


def _condition(found: Condition, *, negated: bool) -> Narrowed:
    column = _COLUMNS.get(found.field.name)
    operator = found.operator
    if operator in OPPOSITE:
        operator, negated = OPPOSITE[operator], not negated
    if column is None:
        return Narrowed(None, exact=False)
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


def _existing(column: str, none: str | None, *, negated: bool) -> Narrowed:
    if none is None:
        return Narrowed(_NEVER if negated else None, exact=True)
    return Narrowed(f"{column} {'==' if negated else '!='} {none}", exact=True)


def _among(column: str, none: str | None, values: tuple[Any, ...], *, negated: bool) -> Narrowed:
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
