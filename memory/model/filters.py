"""Filters as values: conditions on the fields of a memory, and how they are combined. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from .filter_fields import FilterField

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
