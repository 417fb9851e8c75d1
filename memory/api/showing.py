"""Answers made of objects: the keys of a dictionary's type are the attributes that are told."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from enum import Enum
from functools import cache
from typing import Any, NotRequired, TypeVar, cast, get_origin, get_type_hints

from ..model.times import iso

D = TypeVar("D", bound=Mapping[str, Any])


def shown_as(kind: type[D], source: object, /, **more: Any) -> D:
    """The dictionary of an object; `more` are values that it has not, or tells otherwise.

    Times are ISO 8601, enumerations their values, collections are copied. A key that need not be
    there is left out if its value is None or an empty text or collection.
    """
    told = {}
    for name, needed in _keys(kind):
        if name in more:
            value = more[name]
        else:
            value = getattr(source, name) if needed else getattr(source, name, None)
        if needed or value or isinstance(value, int | float):
            told[name] = _plain(value)
    return cast("D", told)


@cache
def _keys(kind: type[Any]) -> tuple[tuple[str, bool], ...]:
    """The keys in their order, and whether they must be there."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple((name, get_origin(hint) is not NotRequired) for name, hint in hints.items())


_AS_THEY_ARE = frozenset({str, int, float, bool, type(None)})


def _plain(value: Any) -> Any:
    if type(value) in _AS_THEY_ARE:
        return value
    match value:
        case datetime():
            return iso(value)
        case Enum():
            return value.value
        case Mapping():
            return dict(value)
        case tuple() | list() | frozenset():
            return list(value)
    return value
