"""Filters in SQL, as far as columns can say them; the rest is tested with a memory at hand. Pure.

Metadata is a JSON text. A memory whose tag is "work" has ``"tag":"work"`` in it, as `provenance`
writes it; so has one with another "tag" deeper in its metadata. Such a pattern admits at least what
the condition does, so few rows are left to be read.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..model.filters import EVERYTHING, Condition, Filter, Operator, Scalar, ValueKind
from ..query.narrowing import Narrowed, narrowed
from .row_conditions import RowConditions

_COLUMNS = {
    **{name: name for name in ("id", "hash", "type", "status", "source", "session")},
    **{name: f"NULLIF({name}, '')" for name in ("user_id", "agent_id", "run_id")},
    **{name: name for name in ("importance", "version", "created_at", "updated_at")},
    **{name: name for name in ("valid_from", "valid_to")},
    "memory": "text",
}
"""What gives the value of a field, NULL for none."""
_SEALED = frozenset({"hash", "memory"})
"""Where users have keys, SQL cannot tell these: each memory is tested, too."""
_FRACTIONS = frozenset({"importance"})
_SIGNS = {Operator.GT: ">", Operator.GTE: ">=", Operator.LT: "<", Operator.LTE: "<="}
_WHOLE: Mapping[Operator, Callable[[float], int]] = {
    # A whole number is at least 1.5 if it is at least 2, and above 1.5 if it is above 1.
    Operator.GT: math.floor,
    Operator.GTE: math.ceil,
    Operator.LT: math.ceil,
    Operator.LTE: math.floor,
}
_EXACT = 2**53
"""Floats are whole numbers from here on, and a column holds no larger ones than 2**63."""
MOST_VALUES = 32
"""Of one condition, where each is one comparison."""
_PLAIN = 10**15
"""JSON has integers, and floats that are integers, below it without an exponent."""
_WILD = frozenset("%_\\")
"""Characters with a meaning in a pattern."""
MOST_PATTERN = 10_000
"""Characters: SQLite takes no pattern of more than 50,000 bytes."""
_NOT_SAID: Narrowed[str] = Narrowed(None, exact=False)


def add_filter(found: Filter, asked: RowConditions) -> bool:
    """Add what SQL can say of a filter; whether that is all of it."""
    if found == EVERYTHING:
        return True
    made: Narrowed[str] = narrowed(found, _Sql(asked))
    if made.said is not None:
        asked.add(made.said)
    return made.exact


def pattern(*parts: str) -> str | None:
    """What matches texts with these parts in this order; None if it would be too long.

    A character with a meaning stands for any one.
    """
    plain = ("".join("_" if one in _WILD else one for one in part) for part in parts)
    made = f"%{'%'.join(plain)}%"
    return made if len(made) <= MOST_PATTERN else None


class _Sql:
    """The language."""

    def __init__(self, asked: RowConditions) -> None:
        self._asked = asked

    def never(self) -> str:
        return "1 = 0"

    def every(self, parts: Sequence[str]) -> str:
        return f"({' AND '.join(parts)})"

    def some(self, parts: Sequence[str]) -> str:
        return f"({' OR '.join(parts)})"

    def condition(self, found: Condition, *, negated: bool) -> Narrowed[str]:
        values = found.value if isinstance(found.value, tuple) else (found.value,)
        if found.field.path:
            return _NOT_SAID if negated else self._like("metadata", _in_json(found, values))
        if found.operator is Operator.CONTAINS and found.field.name == "memory" and not negated:
            return self._like("text", [(str(found.value),)])
        said = self._of_column(found, values)
        if said is None:
            return _NOT_SAID
        if found.field.name in _SEALED and found.operator is not Operator.EXISTS:
            return _NOT_SAID if negated else Narrowed(f"({said})", exact=False)
        return Narrowed(f"(({said}) IS NOT TRUE)" if negated else f"({said})", exact=True)

    def _of_column(self, found: Condition, values: Sequence[Scalar]) -> str | None:
        column = _COLUMNS.get(found.field.name)
        if column is None:
            return None
        is_text = found.field.kind in {ValueKind.TEXT, ValueKind.WORD}
        match found.operator:
            case Operator.EXISTS:
                return f"{column} IS NOT NULL"
            case Operator.EQ | Operator.IN:
                said = self._texts(column, values) if is_text else self._numbers(found, values)
                return f"{said} OR {column} IS NULL" if said and None in values else said
            case Operator.GT | Operator.GTE | Operator.LT | Operator.LTE if not is_text:
                return self._ordered(column, found)
        return None

    def _texts(self, column: str, values: Sequence[Scalar]) -> str:
        return self._asked.among(column, [one for one in values if isinstance(one, str)])

    def _numbers(self, found: Condition, values: Sequence[Scalar]) -> str | None:
        wanted = [one for one in values if one is not None]
        if len(wanted) > MOST_VALUES or not all(map(_fits, wanted)):
            return None
        column = _COLUMNS[found.field.name]
        tests = [
            f"{column} = {self._asked.value(_number(found.field.name, one))}"
            for one in wanted
            if found.field.name in _FRACTIONS or one == int(one)
        ]
        return " OR ".join(tests) or self.never()

    def _ordered(self, column: str, found: Condition) -> str | None:
        value: Any = found.value
        if not _fits(value):
            return None
        if found.field.name not in _FRACTIONS:
            value = _WHOLE[found.operator](value)
        value = _number(found.field.name, value)
        return f"{column} {_SIGNS[found.operator]} {self._asked.value(value)}"

    def _like(self, column: str, wanted: Sequence[Sequence[str]]) -> Narrowed[str]:
        """At least one of these patterns; never exact, as letters may match in any case."""
        patterns = [pattern(*parts) for parts in wanted]
        if not patterns or None in patterns:
            return _NOT_SAID
        likes = [f"{column} LIKE {self._asked.value(one)}" for one in patterns]
        return Narrowed(self.some(likes), exact=False)


def _in_json(found: Condition, values: Sequence[Scalar]) -> list[Sequence[str]]:
    """What of the metadata's text a condition needs one of; empty if there may be nothing."""
    key = f"{_json(found.field.path[-1])}:"
    match found.operator:
        case Operator.EQ | Operator.IN:
            if None in values:
                return []
            few = len(values) <= MOST_VALUES
            return [[key + _start(one)] for one in values] if few else [[key]]
        case Operator.CONTAINS if isinstance(found.value, str):
            return [[key, _json(found.value)[1:-1]]]
        case Operator.CONTAINS:
            return [[f"{key}["]]
    return [[key]]


def _start(value: Scalar) -> str:
    """What the JSON of everything that equals a value begins with."""
    if isinstance(value, (str, bool)) or value is None:
        return _json(value)
    if abs(value) >= _PLAIN or not value:  # -0.0 is zero
        return ""
    return _json(int(value) if value == int(value) else value)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _number(name: str, value: Any) -> int | float:
    return float(value) if name in _FRACTIONS else int(value)


def _fits(value: object) -> bool:
    """Whether it is a number that a column can be compared with, as Python compares."""
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return is_number and abs(value) < _EXACT  # type: ignore[arg-type]
