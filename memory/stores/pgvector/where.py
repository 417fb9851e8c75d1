"""Filters as SQL, with their values apart. Pure.

A condition on a field without a value is NULL or false, and its opposite is written as ``IS NOT
TRUE``: so it holds there, as `memory.query.evaluate` says.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from ...model.filters import Condition, Filter, Operator, ValueKind
from ...query import narrowing
from ...query.narrowing import Narrowed
from .sql import RowCondition
from .text import escaped, escaped_json

_COLUMNS = {
    **{name: name for name in ("id", "hash", "type", "status", "source", "session")},
    **{name: f"NULLIF({name}, '')" for name in ("user_id", "agent_id", "run_id")},
    **{name: name for name in ("importance", "version", "created_at", "updated_at")},
    **{name: f"NULLIF({name}, 0)" for name in ("valid_from", "valid_to")},
    "memory": "text",
}
"""What gives the value of a field, NULL for none."""
_SIGNS = {Operator.GT: ">", Operator.GTE: ">=", Operator.LT: "<", Operator.LTE: "<="}
_EXACT = 2**53
"""Floats from here on are written with fewer digits than they have, so equality may differ."""
MOST_VALUES = 1_000
"""Of one condition; a longer one is answered with the memories at hand."""
_PLACE = "\0"
"""Where a value belongs: PostgreSQL knows no such character."""


class SqlCondition(NamedTuple):
    """A condition with a `_PLACE` for each value."""

    text: str
    values: tuple[tuple[object, str], ...] = ()
    """With the types in which they are sent."""


_NOT_SAID: Narrowed[SqlCondition] = Narrowed(None, exact=False)


def add_filter(found: Filter, asked: RowCondition) -> bool:
    """Add what SQL can say of a filter; whether that is all of it."""
    made: Narrowed[SqlCondition] = narrowing.narrowed(found, _Sql())
    if made.said is not None:
        first, *rest = made.said.text.split(_PLACE)
        places = (asked.value(value, kind) for value, kind in made.said.values)
        asked.add(first + "".join(f"{a}{b}" for a, b in zip(places, rest, strict=True)))
    return made.exact


class _Sql:
    """The language."""

    def never(self) -> SqlCondition:
        return SqlCondition("FALSE")

    def every(self, parts: Sequence[SqlCondition]) -> SqlCondition:
        return _joined(" AND ", parts)

    def some(self, parts: Sequence[SqlCondition]) -> SqlCondition:
        return _joined(" OR ", parts)

    def condition(self, found: Condition, *, negated: bool) -> Narrowed[SqlCondition]:
        values = found.value if isinstance(found.value, tuple) else (found.value,)
        if len(values) > MOST_VALUES:
            return _NOT_SAID
        said = _of_key(found, values) if found.field.path else _of_column(found, values)
        if said is None:
            return _NOT_SAID
        test = f"(({said.text}) IS NOT TRUE)" if negated else f"({said.text})"
        return Narrowed(SqlCondition(test, said.values), exact=True)


def _joined(word: str, parts: Sequence[SqlCondition]) -> SqlCondition:
    text = word.join(part.text for part in parts)
    return SqlCondition(f"({text})", tuple(value for part in parts for value in part.values))


def _of_column(found: Condition, values: Sequence[Any]) -> SqlCondition | None:
    column = _COLUMNS.get(found.field.name)
    if column is None:
        return None
    is_text = found.field.kind in {ValueKind.TEXT, ValueKind.WORD}
    match found.operator:
        case Operator.EXISTS:
            return SqlCondition(f"{column} IS NOT NULL")
        case Operator.EQ | Operator.IN:
            return _text_among(column, values) if is_text else _number_among(column, values)
        case Operator.CONTAINS if is_text and _can_be_part(found.value):
            return _has_part(column, found.value)
        case Operator.GT | Operator.GTE | Operator.LT | Operator.LTE if not is_text:
            if _fits(found.value):
                text = f"{column}::float8 {_SIGNS[found.operator]} {_PLACE}"
                return SqlCondition(text, ((found.value, "float8"),))
    return None


def _text_among(column: str, values: Sequence[Any]) -> SqlCondition:
    wanted = [escaped(one) for one in values if isinstance(one, str)]
    return _or_none(
        SqlCondition(f"{column} = ANY({_PLACE})", ((wanted, "text[]"),)), column, values
    )


def _number_among(column: str, values: Sequence[Any]) -> SqlCondition | None:
    wanted = [one for one in values if one is not None]
    if not all(map(_fits, wanted)):
        return None
    return _or_none(
        SqlCondition(f"{column}::float8 = ANY({_PLACE})", ((wanted, "float8[]"),)), column, values
    )


def _or_none(said: SqlCondition, column: str, values: Sequence[Any]) -> SqlCondition:
    return SqlCondition(f"{said.text} OR {column} IS NULL", said.values) if None in values else said


def _has_part(text: str, value: Any) -> SqlCondition:
    return SqlCondition(f"strpos({text}, {_PLACE}) > 0", ((escaped(value), "text"),))


def _of_key(found: Condition, values: Sequence[Any]) -> SqlCondition | None:
    if not all(map(_is_exact, values)):
        return None
    key = _key(found.field.path)
    match found.operator:
        case Operator.EXISTS:
            return SqlCondition(f"{key.text} <> 'null'::jsonb", key.values)
        case Operator.EQ | Operator.IN:
            return _key_among(key, values)
        case Operator.CONTAINS:
            return _key_contains(key, found.value)
        case Operator.GT | Operator.GTE | Operator.LT | Operator.LTE:
            return _key_ordered(key, found)
    return None


def _key(path: Sequence[str]) -> SqlCondition:
    """The JSON at a path, by texts, so that no number leads into a list."""
    text = "facets" + "".join(f" -> {_PLACE}" for _ in path)
    return SqlCondition(f"({text})", tuple((escaped(name), "text") for name in path))


def _key_among(key: SqlCondition, values: Sequence[Any]) -> SqlCondition:
    wanted = [_json(one) for one in values if one is not None]
    among = SqlCondition(f"{key.text} = ANY({_PLACE})", (*key.values, (wanted, "jsonb[]")))
    if None not in values:
        return among
    text = f"{among.text} OR COALESCE({key.text}, 'null') = 'null'"
    return SqlCondition(text, (*among.values, *key.values))


def _key_contains(key: SqlCondition, value: Any) -> SqlCondition | None:
    """A part of a text, or an element of a list."""
    kind = f"jsonb_typeof({key.text})"
    element = SqlCondition(
        f"{kind} = 'array' AND {key.text} @> {_PLACE}",
        (*key.values, *key.values, (_json(value), "jsonb")),
    )
    if not isinstance(value, str):
        return element
    if not _can_be_part(value):
        return None
    part = _has_part(f"{key.text} #>> '{{}}'", value)
    return SqlCondition(
        f"{element.text} OR {kind} = 'string' AND {part.text}",
        (*element.values, *key.values, *key.values, *part.values),
    )


def _key_ordered(key: SqlCondition, found: Condition) -> SqlCondition | None:
    if not _fits(found.value):
        return None  # a text may be a time, and is ordered by its characters
    number = f"CASE jsonb_typeof({key.text}) WHEN 'number' THEN {key.text}::numeric END"
    return SqlCondition(
        f"{number} {_SIGNS[found.operator]} {_PLACE}::numeric",
        (*key.values, *key.values, (_json(found.value), "jsonb")),
    )


def _json(value: Any) -> str:
    return json.dumps(escaped_json(value), ensure_ascii=False)


def _fits(value: object) -> bool:
    """Whether it is a number that PostgreSQL compares as we do."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return is_number and abs(value) < _EXACT  # type: ignore[arg-type]


def _is_exact(value: object) -> bool:
    return isinstance(value, (str, bool)) or value is None or _fits(value)


def _can_be_part(value: object) -> bool:
    """Whether escaping keeps parts parts: a digit may be half of an escaped character."""
    return isinstance(value, str) and not value.startswith(("0", "1"))
