"""What filters mean, as predicates on memories. Pure, but for letting others go first.

A field without a value (missing, or null) equals null only, has no order and contains nothing. `ne`
and `nin` are the negations of `eq` and `in`, so they hold for it. Values of different types are
never equal: 1 is not "1", and true is not 1. Texts are ordered by their characters; if the value
compared with is a date or a time (ISO 8601), by time. `contains` finds a part of a text, or an
element of a list; `icontains` a part in any case.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import ge, gt, le, lt
from time import perf_counter
from typing import Any, TypeVar

from ..model.filters import (
    EVERYTHING,
    OPPOSITE,
    AllOf,
    AnyOf,
    Condition,
    Filter,
    Not,
    Operator,
    Scalar,
)
from ..model.types import MemoryItem
from .filter_json import instant

Predicate = Callable[[MemoryItem], bool]
_Test = Callable[[Any], bool]
_Fold = Callable[[str], str]
_ORDER: Mapping[Operator, Callable[[Any, Any], bool]] = {
    Operator.GT: gt,
    Operator.GTE: ge,
    Operator.LT: lt,
    Operator.LTE: le,
}


def predicate(found: Filter) -> Predicate:
    """Whether a memory passes the filter (about a microsecond for each condition)."""
    if found == EVERYTHING:
        return lambda _: True
    return _predicate(found, _folding())


def _folding() -> _Fold:
    """`casefold`, which is not repeated while conditions look at the same text one by one."""
    last = ("", "")

    def fold(text: str) -> str:
        nonlocal last
        seen = last
        if seen[0] is not text:
            last = seen = (text, text.casefold())
        return seen[1]

    return fold


def _predicate(found: Filter, fold: _Fold) -> Predicate:
    match found:
        case Condition():
            return _condition(found, fold)
        case Not(part):
            inner = _predicate(part, fold)
            return lambda item: not inner(item)
        case AllOf(parts):
            every = [_predicate(part, fold) for part in parts]
            return lambda item: all(test(item) for test in every)
        case AnyOf(parts):
            some = [_predicate(part, fold) for part in parts]
            return lambda item: any(test(item) for test in some)


def _condition(found: Condition, fold: _Fold) -> Predicate:
    read = found.field.reader()
    if found.operator in OPPOSITE:
        inner = _test(OPPOSITE[found.operator], found.value, fold)
        return lambda item: not inner(read(item))
    test = _test(found.operator, found.value, fold)
    return lambda item: test(read(item))


def _test(operator: Operator, value: Any, fold: _Fold) -> _Test:
    match operator:
        case Operator.EXISTS:
            return lambda stored: stored is not None
        case Operator.EQ:
            return _equals(value)
        case Operator.IN:
            return _is_among(value)
        case Operator.CONTAINS:
            return _contains(value)
        case Operator.ICONTAINS:
            return _contains_folded(value, fold)
    return _ordered(_ORDER[operator], value)


def _equals(value: Scalar) -> _Test:
    kind = _kind(value)
    if kind is str:
        return lambda stored: stored == value  # nothing else equals a text
    return lambda stored: stored == value and _kind(stored) is kind


def _is_among(values: Sequence[Scalar]) -> _Test:
    known = {(_kind(value), value) for value in values}
    return lambda stored: _is_scalar(stored) and (_kind(stored), stored) in known


def _contains(value: Scalar) -> _Test:
    same = _equals(value)

    def test(stored: Any) -> bool:
        if isinstance(stored, str):
            return isinstance(value, str) and value in stored
        return isinstance(stored, (list, tuple)) and any(map(same, stored))

    return test


def _contains_folded(value: str, fold: _Fold) -> _Test:
    folded = value.casefold()

    def test(stored: Any) -> bool:
        if isinstance(stored, (list, tuple)):
            return any(isinstance(one, str) and one.casefold() == folded for one in stored)
        return isinstance(stored, str) and folded in fold(stored)

    return test


def _ordered(compare: Callable[[Any, Any], bool], value: Any) -> _Test:
    kind = _kind(value)
    moment = instant(value) if isinstance(value, str) else None
    if moment is not None:
        return lambda stored: (
            isinstance(stored, str) and (at := instant(stored)) is not None and compare(at, moment)
        )
    if kind is bool:
        return lambda _: False
    same = (str,) if kind is str else (int, float)
    return lambda stored: type(stored) in same and compare(stored, value)


def _kind(value: object) -> type:
    """The type in which values are compared: all numbers have one."""
    if isinstance(value, bool):
        return bool
    return float if isinstance(value, (int, float)) else type(value)


def _is_scalar(value: object) -> bool:
    return value is None or isinstance(value, (str, int, float))


T = TypeVar("T")
SLICE_SECONDS = 0.002
"""How long it computes at a time."""
REST_SECONDS = 0.002
"""How long others have the loop then, if they want it."""


async def passing(items: Iterable[T], test: Callable[[T], bool]) -> list[T]:
    """The items that pass, in their order."""
    found: list[T] = []
    until = perf_counter() + SLICE_SECONDS
    for item in items:
        if test(item):
            found.append(item)
        if perf_counter() > until:
            await asyncio.sleep(REST_SECONDS)
            until = perf_counter() + SLICE_SECONDS
    return found
