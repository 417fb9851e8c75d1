"""Filters as values: conditions on the fields of a memory, and how they are combined. Pure.

Fields are those of a memory and any key of its metadata. ``metadata.colour`` and ``colour`` are the
same key, if no field of a memory has that name; dots lead into objects (``metadata.car.colour``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeAlias

from .errors import InvalidInputError
from .suggestions import nearest
from .times import to_ms
from .types import MemoryItem, MemoryStatus, MemoryType, Source

PREFIX = "metadata."
_ALIKE = 0.85
"""Likeness of a name from which it is a slip: "created" is, "user" may be a key."""
MAX_CHARS = 256
"""Of the name of a field."""


class ValueKind(StrEnum):
    """What a field's values are."""

    TEXT = "text"
    WORD = "word"
    """One of a few known texts."""
    NUMBER = "number"
    TIME = "time"
    ENTITY = "entity"
    """Who and what a memory speaks of: kept in the graph, not in the memory."""
    ANY = "any"
    """Whatever the metadata holds."""


@dataclass(frozen=True, slots=True)
class FilterField:
    """A field of a memory, or the path of a key in its metadata."""

    name: str
    kind: ValueKind
    path: tuple[str, ...] = ()
    """Of a key of the metadata."""

    def of(self, item: MemoryItem) -> Any:
        """The value in a memory; None without one. A time is milliseconds since the epoch."""
        return self.reader()(item)

    def reader(self) -> Callable[[MemoryItem], Any]:
        """`of` as a function by itself, for many memories."""
        if not self.path:
            return _READ[self.name]
        first, *rest = self.path
        if not rest:
            return lambda item: item.metadata.get(first)

        def read(item: MemoryItem) -> Any:
            value: Any = item.metadata.get(first)
            for key in rest:
                if not isinstance(value, Mapping):
                    return None
                value = value.get(key)
            return value

        return read


ENTITIES = "entities"
"""The field whose values are names and ids of entities."""


def _unread(_: MemoryItem) -> Any:
    """No memory holds its entities: `query.entities` puts the ids of memories in their place."""
    raise InvalidInputError("filters", f"cannot ask for {ENTITIES!r} here")


def _ms(moment: datetime | None) -> int | None:
    return None if moment is None else to_ms(moment)


_READ: Mapping[str, Callable[[MemoryItem], Any]] = {
    "id": lambda item: item.id,
    "memory": lambda item: item.text,
    "hash": lambda item: item.hash,
    "user_id": lambda item: item.scope.user_id,
    "agent_id": lambda item: item.scope.agent_id,
    "run_id": lambda item: item.scope.run_id,
    "type": lambda item: item.type.value,
    "status": lambda item: item.status.value,
    "source": lambda item: item.provenance.source.value,
    "session": lambda item: item.provenance.conversation_id,
    "importance": lambda item: item.importance,
    "version": lambda item: item.version,
    "created_at": lambda item: _ms(item.created_at),
    "updated_at": lambda item: _ms(item.updated_at),
    "valid_from": lambda item: _ms(item.valid_from),
    "valid_to": lambda item: _ms(item.valid_to),
    ENTITIES: _unread,
}
_WORDS: Mapping[str, tuple[str, ...]] = {
    "type": tuple(kind.value for kind in MemoryType),
    "status": tuple(status.value for status in MemoryStatus),
    "source": tuple(source.value for source in Source),
}
_NUMBERS = frozenset({"importance", "version"})
_TIMES = frozenset({"created_at", "updated_at", "valid_from", "valid_to"})
FIELDS = tuple(_READ)
"""The names that are no keys of the metadata."""


def field_of(name: object) -> FilterField:
    """The field of this name.

    Raises:
        InvalidInputError: it is no text, or nearly the name of a field.
    """
    if not isinstance(name, str) or not name or len(name) > MAX_CHARS:
        raise InvalidInputError("filters", "expected the name of a field")
    if name in _READ:
        return FilterField(name, _kind(name))
    if name.startswith(PREFIX):
        path = tuple(name.removeprefix(PREFIX).split("."))
    else:
        path = tuple(name.split("."))
        if meant := nearest(name, FIELDS, cutoff=_ALIKE):
            raise InvalidInputError(
                "filters",
                f"has no field {name!r}: did you mean {meant!r}? "
                f"Write {PREFIX + name!r} for a key of the metadata",
            )
    if not all(path):
        raise InvalidInputError("filters", f"expected the name of a field, not {name!r}")
    return FilterField(PREFIX + ".".join(path), ValueKind.ANY, path)


def words_of(name: str) -> tuple[str, ...]:
    """The values of a field of `ValueKind.WORD`."""
    return _WORDS[name]


def _kind(name: str) -> ValueKind:
    if name in _WORDS:
        return ValueKind.WORD
    if name == ENTITIES:
        return ValueKind.ENTITY
    if name in _NUMBERS:
        return ValueKind.NUMBER
    return ValueKind.TIME if name in _TIMES else ValueKind.TEXT


Scalar: TypeAlias = str | int | float | bool | None
"""A value to compare with. Of a time, it is an integer: milliseconds since the epoch."""


class Operator(StrEnum):
    """How a field is compared; `evaluate` says what each means."""

    EQ = "eq"
    NE = "ne"
    GT = "gt"
    GTE = "gte"
    LT = "lt"
    LTE = "lte"
    IN = "in"
    NIN = "nin"
    CONTAINS = "contains"
    ICONTAINS = "icontains"
    EXISTS = "exists"
    """The field has a value; written as the wildcard ``*``."""


OPPOSITE = {Operator.NE: Operator.EQ, Operator.NIN: Operator.IN}
"""These are the negations of others: a field without a value has them too."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One field compared with one value, or with several (`IN`, `NIN`)."""

    field: FilterField
    operator: Operator
    value: Scalar | tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class AllOf:
    """All parts hold; without parts it always holds."""

    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one part holds; without parts it never holds."""

    parts: tuple[Filter, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The part does not hold."""

    part: Filter


Filter: TypeAlias = Condition | AllOf | AnyOf | Not
EVERYTHING = AllOf(())
NOTHING = AnyOf(())


def both(*filters: Filter) -> Filter:
    """A filter that holds if all of these do."""
    parts = [part for part in filters if part != EVERYTHING]
    return parts[0] if len(parts) == 1 else AllOf(tuple(parts))
