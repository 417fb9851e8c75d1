"""Filters in the language of a store, as far as it can say them exactly. Pure.

What a store cannot say is answered with a memory at hand: the narrowed filter admits at least what
the filter admits, and `exact` says whether it admits nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, NamedTuple, Protocol, TypeVar

from ..model.filters import OPPOSITE, AllOf, AnyOf, Condition, Filter, Not

T = TypeVar("T")


class Narrowed(NamedTuple, Generic[T]):
    """A filter of a store."""

    said: T | None
    """None: it admits every row."""
    exact: bool
    """Whether it admits no row that the whole filter does not."""


class Language(Protocol[T]):
    """How a store says conditions, and combines them."""

    def never(self) -> T:
        """What no row passes."""

    def every(self, parts: Sequence[T]) -> T:
        """All of these hold; never empty."""

    def some(self, parts: Sequence[T]) -> T:
        """At least one of these holds; never empty."""

    def condition(self, found: Condition, *, negated: bool) -> Narrowed[T]:
        """A condition or, if `negated`, its opposite; never with `NE` or `NIN`."""


def narrowed(found: Filter, language: Language[T], *, negated: bool = False) -> Narrowed[T]:
    """A filter, or its opposite, in this language."""
    match found:
        case Condition():
            return _condition(found, language, negated=negated)
        case Not(part):
            return narrowed(part, language, negated=not negated)
        case AllOf(parts) | AnyOf(parts):
            every = isinstance(found, AllOf) is not negated
            inner = [narrowed(part, language, negated=negated) for part in parts]
            return _every(inner, language) if every else _some(inner, language)


def _condition(found: Condition, language: Language[T], *, negated: bool) -> Narrowed[T]:
    if found.operator in OPPOSITE:
        found = Condition(found.field, OPPOSITE[found.operator], found.value)
        negated = not negated
    return language.condition(found, negated=negated)


def _every(parts: list[Narrowed[T]], language: Language[T]) -> Narrowed[T]:
    said = [part.said for part in parts if part.said is not None]
    exact = all(part.exact for part in parts)
    return Narrowed(language.every(said) if said else None, exact)


def _some(parts: list[Narrowed[T]], language: Language[T]) -> Narrowed[T]:
    if not parts:
        return Narrowed(language.never(), exact=True)
    exact = all(part.exact for part in parts)
    said = [part.said for part in parts if part.said is not None]
    return Narrowed(language.some(said) if len(said) == len(parts) else None, exact)
