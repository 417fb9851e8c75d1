"""What a filter comes to: fewer conditions that mean the same, and whether any is left. Pure.

Clients write a list as many conditions: ``{"OR": [{"tag": "a"}, {"tag": "b"}]}`` is one condition
with two values. And a filter may hold for every memory, ``{"OR": [{}]}``: it is no filter.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..model.filters import (
    EVERYTHING,
    NOTHING,
    AllOf,
    AnyOf,
    Condition,
    Filter,
    Not,
    Operator,
    Scalar,
    ValueKind,
    words_of,
)
from ..model.types import Scope

_OFTEN_NONE = frozenset({"user_id", "agent_id", "run_id", "session", "valid_from", "valid_to"})
"""Fields without a value in some memories."""
_ONE_OR_MORE = {Operator.EQ: Operator.IN, Operator.NE: Operator.NIN}


def simplified(found: Filter, scope: Scope | None = None) -> Filter:
    """A filter that means the same; `EVERYTHING` if it holds for every memory of the scope."""
    match found:
        case Condition():
            return _condition(found, scope)
        case Not(part):
            inner = simplified(part, scope)
            if inner == EVERYTHING:
                return NOTHING
            return EVERYTHING if inner == NOTHING else Not(inner)
        case AllOf(parts):
            inside = _inside(parts, EVERYTHING, scope)
            kept = _merged(inside, Operator.NIN)
            return NOTHING if NOTHING in inside else _one_or(AllOf, kept)
        case AnyOf(parts):
            inside = _inside(parts, NOTHING, scope)
            kept = _merged(inside, Operator.IN)
            return EVERYTHING if EVERYTHING in inside else _one_or(AnyOf, kept)


def _one_or(combined: type[AllOf | AnyOf], parts: list[Filter]) -> Filter:
    return parts[0] if len(parts) == 1 else combined(tuple(parts))


def conditions(found: Filter) -> int:
    """How many comparisons a memory may need."""
    match found:
        case Condition():
            return 1
        case Not(part):
            return conditions(part)
        case AllOf(parts) | AnyOf(parts):
            return sum(map(conditions, parts))


def _inside(parts: Iterable[Filter], neutral: Filter, scope: Scope | None) -> list[Filter]:
    """The parts without those that change nothing, and with the parts of equal ones."""
    found: list[Filter] = []
    for part in parts:
        inner = simplified(part, scope)
        if inner == neutral:
            continue
        if type(inner) is type(neutral) and isinstance(inner, AllOf | AnyOf) and inner.parts:
            found += inner.parts
        else:
            found.append(inner)
    return found


def _merged(parts: Iterable[Filter], many: Operator) -> list[Filter]:
    """The parts, with those that compare one field with values as a single one, at the first."""
    values: dict[str, list[Scalar]] = {}
    found: list[Filter] = []
    for part in parts:
        if isinstance(part, Condition) and _ONE_OR_MORE.get(part.operator, part.operator) is many:
            more = part.value if isinstance(part.value, tuple) else (part.value,)
            if part.field.name not in values:
                values[part.field.name] = []
                found.append(part)
            values[part.field.name] += more
        else:
            found.append(part)
    return [_with(each, values, many) for each in found]


def _with(part: Filter, values: dict[str, list[Scalar]], many: Operator) -> Filter:
    if not isinstance(part, Condition):
        return part
    if _ONE_OR_MORE.get(part.operator, part.operator) is not many:
        return part
    every = values[part.field.name]
    return part if len(every) == 1 else Condition(part.field, many, tuple(every))


def _condition(found: Condition, scope: Scope | None) -> Filter:
    field, operator, value = found.field, found.operator, found.value
    if operator is Operator.IN and value == ():
        return NOTHING
    if operator is Operator.NIN and value == ():
        return EVERYTHING
    if field.kind is ValueKind.ANY or _may_be_none(field.name, scope):
        return found
    exists = operator is Operator.EXISTS or (operator is Operator.NE and value is None)
    every_word = (
        field.kind is ValueKind.WORD
        and operator is Operator.IN
        and isinstance(value, tuple)
        and set(words_of(field.name)) <= set(value)
    )
    value_of_all = None if scope is None else scope.ids().get(field.name)
    named = value_of_all is not None and (
        (operator is Operator.EQ and value == value_of_all)
        or (operator is Operator.IN and isinstance(value, tuple) and value_of_all in value)
    )
    empty = operator in {Operator.CONTAINS, Operator.ICONTAINS} and value == ""
    return EVERYTHING if exists or every_word or named or empty else found


def _may_be_none(name: str, scope: Scope | None) -> bool:
    return name in _OFTEN_NONE and (scope is None or scope.ids().get(name) is None)
