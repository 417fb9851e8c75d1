"""Filters from JSON, in both dialects that clients write. Pure.

One names its parts: ``{"field": "tag", "operator": "eq", "value": "work"}``. The other is mem0's:
``{"tag": "work", "priority": {"gte": 2}}``, where several keys must all hold, a list stands for
`in`, and ``"*"`` for any value. Both combine with ``AND``, ``OR`` and ``NOT``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, ValuesView
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from datetime import date, datetime
from typing import Any

from ..model.errors import InvalidInputError
from ..model.filters import (
    AllOf,
    AnyOf,
    Condition,
    Filter,
    FilterField,
    Not,
    Operator,
    Scalar,
    ValueKind,
    field_of,
    words_of,
)
from ..model.inputs import is_unicode
from ..model.quantities import moment_of, number_of
from ..model.suggestions import nearest
from ..model.times import to_ms
from .simplify import conditions, simplified

MAX_TERMS = 1000
"""Conditions, and values of their lists, in one filter."""
MAX_CONDITIONS = 200
"""Comparisons of one filter with each memory, after those of one field were put together."""
MAX_PARTS = 5 * MAX_TERMS
"""Objects, lists and values of one filter: a condition has four at most."""
MAX_LEVELS = 20
"""Filters within filters."""
MAX_VALUE_CHARS = 2000
"""Of a text that a field is compared with."""
WILDCARD = "*"
_NAMED = {"field", "operator", "value"}
_COMBINE = ("AND", "OR", "NOT")
_OPERATORS = tuple(operator.value for operator in Operator)
_MANY = {Operator.IN, Operator.NIN}
_LISTED = {Operator.EQ, Operator.NE, *_MANY}
_PARTS = {Operator.CONTAINS, Operator.ICONTAINS}
_ORDER = {Operator.GT, Operator.GTE, Operator.LT, Operator.LTE}


def parse(said: object) -> Filter:
    """The filter that somebody wrote.

    Raises:
        InvalidInputError: a field, an operator or a value is not known, or there are too many.
    """
    check_size(said)
    found = simplified(_Reader().read(said, 0))
    if conditions(found) > MAX_CONDITIONS:
        raise _too_many_comparisons()
    return found


def check_size(said: object) -> None:
    """Raises InvalidInputError if there is more than any filter has, before it is read."""
    waiting, parts = [said], 1
    while waiting:
        one = waiting.pop()
        inner = one.values() if isinstance(one, Mapping) else one
        if isinstance(inner, (list, tuple, set, frozenset, ValuesView)):
            parts += len(inner)
            if parts > MAX_PARTS:
                raise _too_many_terms()
            waiting += inner


@dataclass
class _Reader:
    """Counts the terms of one filter."""

    terms: int = 0
    alone: int = 0
    """Conditions that cannot be put together with others."""
    listed: set[str] = dataclass_field(default_factory=set)
    """The fields of the others: at least one condition of each stays."""

    def read(self, said: object, level: int) -> Filter:
        if level >= MAX_LEVELS:
            raise _refused(f"must have at most {MAX_LEVELS} levels")
        if not isinstance(said, Mapping):
            raise _refused("expected an object")
        if "operator" in said and "field" in said:
            return self._named(said)
        parts = [self._key(name, value, level) for name, value in said.items()]
        return parts[0] if len(parts) == 1 else AllOf(tuple(parts))

    def _named(self, said: Mapping[str, Any]) -> Filter:
        if unknown := sorted(map(str, said.keys() - _NAMED)):
            raise _refused(f"has an unknown key {unknown[0]!r} beside field, operator and value")
        if "value" not in said:
            raise _refused("expected a value beside field and operator")
        return self._condition(field_of(said["field"]), said["operator"], said["value"])

    def _key(self, name: object, value: object, level: int) -> Filter:
        if name in _COMBINE:
            return self._combined(str(name), value, level)
        field = field_of(name)
        if isinstance(value, Mapping):
            compared = [self._condition(field, each, given) for each, given in value.items()]
            if not compared:
                raise _refused(f"expected an operator and a value for {field.name!r}")
            return compared[0] if len(compared) == 1 else AllOf(tuple(compared))
        many = isinstance(value, Sequence) and not isinstance(value, str)
        return self._condition(field, Operator.IN if many else Operator.EQ, value)

    def _combined(self, name: str, value: object, level: int) -> Filter:
        listed = value if isinstance(value, (list, tuple)) else [value] if name == "NOT" else None
        if not listed:
            raise _refused(f"expected a list of filters for {name}")
        parts = tuple(self.read(part, level + 1) for part in listed)
        match name:
            case "AND":
                return AllOf(parts)
            case "OR":
                return AnyOf(parts)
        return Not(parts[0] if len(parts) == 1 else AnyOf(parts))

    def _condition(self, field: FilterField, named: object, value: object) -> Filter:
        operator = _operator(named)
        if operator is Operator.EQ and value == WILDCARD:
            operator, value = Operator.EXISTS, True
        if field.kind is ValueKind.ENTITY and operator not in _LISTED:
            raise _refused(f"compares {field.name!r} with names and ids: eq, ne, in, nin")
        self._compare(field, operator)
        if operator is Operator.EXISTS:
            self._count(1)
            if not isinstance(value, bool):
                raise _refused(f"expected true or false for {field.name!r} exists")
            there = Condition(field, operator, value=True)
            return there if value else Not(there)
        if operator in _MANY:
            if not isinstance(value, (list, tuple, set, frozenset)):
                raise _refused(f"expected a list of values for {field.name!r} {operator.value}")
            self._count(len(value) + 1)
            return Condition(field, operator, tuple(_value(field, operator, v) for v in value))
        self._count(1)
        return Condition(field, operator, _value(field, operator, value))

    def _compare(self, field: FilterField, operator: Operator) -> None:
        """Refuse what will be too much before all of it is read."""
        if operator in _LISTED:
            self.listed.add(field.name)
        else:
            self.alone += 1
        if self.alone + len(self.listed) > MAX_CONDITIONS:
            raise _too_many_comparisons()

    def _count(self, terms: int) -> None:
        self.terms += terms
        if self.terms > MAX_TERMS:
            raise _too_many_terms()


def _operator(named: object) -> Operator:
    if isinstance(named, str) and named in _OPERATORS:
        return Operator(named)
    meant = nearest(named, _OPERATORS) if isinstance(named, str) else None
    hint = f": did you mean {meant!r}?" if meant else f", expected one of {', '.join(_OPERATORS)}"
    raise _refused(f"has an unknown operator {str(named)[:60]!r}{hint}")


def _value(field: FilterField, operator: Operator, value: object) -> Scalar:
    if operator in _PARTS:
        if field.kind is ValueKind.ANY and operator is Operator.CONTAINS:
            return _scalar(field, value)  # an element of a list too
        if field.kind in {ValueKind.NUMBER, ValueKind.TIME}:
            raise _refused(f"cannot search in {field.name!r}, which is no text")
        return _text(field, value)
    if value is None and field.kind is not ValueKind.ENTITY:
        if operator in _ORDER:
            raise _refused(f"expected a value for {field.name!r} {operator.value}")
        return None
    return _READ[field.kind](field, value)


def _text(field: FilterField, value: object) -> str:
    if not isinstance(value, str):
        raise _refused(f"expected a text for {field.name!r}")
    if len(value) > MAX_VALUE_CHARS or not is_unicode(value):
        raise _refused(f"expected at most {MAX_VALUE_CHARS} characters for {field.name!r}")
    return value


def _word(field: FilterField, value: object) -> str:
    known = words_of(field.name)
    if not isinstance(value, str) or value not in known:
        raise _refused(f"expected one of {', '.join(known)} for {field.name!r}")
    return value


def _number(field: FilterField, value: object) -> int | float:
    found = number_of(value)
    if found is None:
        raise _refused(f"expected a number for {field.name!r}, of at most 308 digits")
    return found


def _time(field: FilterField, value: object) -> int:
    moment = moment_of(value)
    if moment is not None:
        return to_ms(moment)
    raise _refused(f"expected ISO 8601 or seconds since the epoch for {field.name!r}")


def _scalar(field: FilterField, value: object) -> Scalar:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, (int, float)):
        return _number(field, value)
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, str):
        return _text(field, value)
    raise _refused(f"expected a text, a number, true, false or null for {field.name!r}")


_READ: Mapping[ValueKind, Callable[[FilterField, object], Scalar]] = {
    ValueKind.TEXT: _text,
    ValueKind.WORD: _word,
    ValueKind.NUMBER: _number,
    ValueKind.TIME: _time,
    ValueKind.ENTITY: _text,
    ValueKind.ANY: _scalar,
}


def instant(value: datetime | date | str) -> int | None:
    """Milliseconds since the epoch of a time or a day (its beginning, in UTC); None if it is none.

    Without a zone it is taken as UTC.
    """
    found = moment_of(value, seconds=False)
    return None if found is None else to_ms(found)


def _too_many_comparisons() -> InvalidInputError:
    return _refused(
        f"must compare at most {MAX_CONDITIONS} times; compare one field with a list of values"
    )


def _too_many_terms() -> InvalidInputError:
    return _refused(f"must have at most {MAX_TERMS} conditions and values")


def _refused(expected: str) -> InvalidInputError:
    return InvalidInputError("filters", expected)
