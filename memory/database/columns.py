"""A dataclass as columns of a row: one for each field, by the type of the field."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import MISSING, astuple, fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache, partial
from operator import attrgetter, itemgetter
from typing import Any, Generic, TypeVar, get_args, get_type_hints

from ..model.times import from_ms, to_ms
from ..model.types import Scope
from .rows import SCOPE, scope_columns, scope_from
from .scripts import Row

T = TypeVar("T")
Convert = Callable[[Any], Any]


class Columns(Generic[T]):
    """Times are milliseconds, a scope is its ids ('' for none, too), and what is not plain is JSON.

    NULL stands for a default that is empty. Of a second scope, which is of the same tenant, the
    columns begin with the name of the field.
    """

    def __init__(self, kind: type[T], *, without: Collection[str] = (), **renamed: str) -> None:
        """`renamed`: fields whose columns have another name; those in `without` have none."""
        self._kind = kind
        self._fields: list[str] = []
        self._scopes: list[tuple[str, tuple[str, ...]]] = []
        self._converted: list[tuple[str, Convert, Convert, Any]] = []
        self._renamed = renamed
        columns: list[str] = []
        plain: list[int] = []
        every: Any = fields(kind)  # type: ignore[arg-type]
        for each, hint in zip(every, get_type_hints(kind).values(), strict=True):
            if each.name in without:
                continue
            if hint is Scope:
                names = SCOPE if not self._scopes else [f"{each.name}_{name}" for name in SCOPE[1:]]
                self._scopes.append((each.name, (SCOPE[0], *names[-3:])))
                columns += names
                continue
            default = each.default if each.default_factory is MISSING else each.default_factory()
            if default or isinstance(default, int | float):  # MISSING, too
                default = None
            keep, read = _conversion(hint)
            if (keep, default) != (_same, None):
                self._converted.append((each.name, keep, read, default))
            self._fields.append(each.name)
            plain.append(len(columns))
            columns.append(renamed.get(each.name, each.name))
        self._plain = itemgetter(*plain)
        self._given = attrgetter(*self._fields)
        self._ids = [(name, itemgetter(*map(columns.index, of))) for name, of in self._scopes]
        self.names = ", ".join(columns)
        self.values_named = ", ".join(f":{name}" for name in columns)
        self.replaced = ", ".join(f"{name} = excluded.{name}" for name in columns)

    def values(self, one: T) -> dict[str, object]:
        """The values of the columns, by their names."""
        kept: dict[str, Any] = dict(zip(self._fields, self._given(one), strict=True))
        for name, keep, _, default in self._converted:
            value = kept[name]
            kept[name] = None if value is None or value == default else keep(value)
        for name, column in self._renamed.items():
            kept[column] = kept.pop(name)
        for name, columns in self._scopes:
            kept |= zip(columns, scope_columns(getattr(one, name)).values(), strict=True)
        return kept

    def read(self, row: Row, **known: Any) -> T:
        """What is kept in a row that begins with these columns; fields that are `known` are not."""
        found: dict[str, Any] = dict(zip(self._fields, self._plain(row), strict=True)) | known
        for name, _, read, default in self._converted:
            if name in known:
                continue
            value = found[name]
            found[name] = default if value is None else read(value)
        for name, ids_of in self._ids:
            tenant, *ids = ids_of(row)
            found[name] = scope_from(tenant, *[each or None for each in ids])
        return self._kind(**found)


def _same(value: Any) -> Any:
    return value


def _conversion(hint: Any) -> tuple[Convert, Convert]:
    """How a value of a type is kept, and how it is read."""
    if type(None) in get_args(hint):
        [hint] = set(get_args(hint)) - {type(None)}
    if hint is datetime:
        return to_ms, from_ms
    if hint is bool:
        return int, bool
    if isinstance(hint, type) and issubclass(hint, Enum):
        return (lambda value: value.value), {each.value: each for each in hint}.__getitem__
    if hint in (str, int, float):
        return _same, _same
    if hint == tuple[str, ...]:
        return json.dumps, lambda text: tuple(json.loads(text))
    return _written, lambda text: _loaded(hint, json.loads(text))


def _written(value: object) -> str:
    return json.dumps(value, default=_told)


def _told(value: Any) -> Any:
    return astuple(value) if is_dataclass(value) else dict(value)  # type: ignore[arg-type]


def _loaded(hint: Any, value: Any) -> Any:
    if is_dataclass(hint):
        return hint(*map(_loaded, _types_of(hint), value))  # type: ignore[operator, arg-type]
    if isinstance(hint, type) and issubclass(hint, Enum):
        return hint(value)
    if isinstance(value, list):
        return tuple(map(partial(_loaded, get_args(hint)[0]), value))
    return value


@cache
def _types_of(kind: Any) -> tuple[Any, ...]:
    return tuple(get_type_hints(kind).values())
