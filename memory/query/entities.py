"""Filters by who and what memories speak of: names go, and ids of memories take their place. Pure.

A memory speaks of several, so `in` holds if it speaks of any of them, and two conditions on the
field are two questions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..model.filters import (
    NOTHING,
    OPPOSITE,
    AllOf,
    AnyOf,
    Condition,
    Filter,
    Not,
    Operator,
    ValueKind,
    field_of,
)
from .simplify import simplified


def entities_in(found: Filter) -> frozenset[str]:
    """The names and ids of entities that a filter asks for."""
    return frozenset(_names(found))


def with_memories(found: Filter, memories: Mapping[str, frozenset[str]]) -> Filter:
    """The filter with the ids of memories, by name, in place of the names.

    A name without any is one that no memory speaks of.
    """
    return simplified(_replaced(found, memories))


def _names(found: Filter) -> Iterator[str]:
    match found:
        case Condition():
            if found.field.kind is ValueKind.ENTITY:
                yield from _values(found)
        case Not(part):
            yield from _names(part)
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from _names(part)


def _replaced(found: Filter, memories: Mapping[str, frozenset[str]]) -> Filter:
    match found:
        case Condition():
            return _spoken_of(found, memories) if found.field.kind is ValueKind.ENTITY else found
        case Not(part):
            return Not(_replaced(part, memories))
        case AllOf(parts):
            return AllOf(tuple(_replaced(part, memories) for part in parts))
        case AnyOf(parts):
            return AnyOf(tuple(_replaced(part, memories) for part in parts))


def _spoken_of(found: Condition, memories: Mapping[str, frozenset[str]]) -> Filter:
    ids = sorted({each for name in _values(found) for each in memories.get(name, ())})
    among = Condition(field_of("id"), Operator.IN, tuple(ids)) if ids else NOTHING
    return Not(among) if found.operator in OPPOSITE else among


def _values(found: Condition) -> Iterator[str]:
    values = found.value if isinstance(found.value, tuple) else (found.value,)
    yield from map(str, values)
