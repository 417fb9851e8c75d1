"""What only filters read: a JSON column beside the row, on servers. Pure.

    {"v": "1",                                 the version of this form
     "of": {"source": "tuser", …},             fields of the memory without a column
     "is": {"tag": "twork", "car": {…}},       the metadata, with scalars as `tokens`
     "in": {"tags": ["twork", …]},             its lists, apart: numbers lead into lists
     "at": {"due": "n2…"}}                     its texts that are times, as milliseconds

A row in another form is admitted by every condition, and tested with the memory at hand
(`UNKNOWN`). So is a row whose metadata is too much for the column.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...model.filters import Condition, FilterField, Operator, Scalar, ValueKind
from ...model.types import MemoryItem
from ...query.filter_json import instant
from ...query.narrowing import Narrowed
from . import tokens
from .expr import quoted

FACETS = "facets"
"""The column."""
_VERSION = "1"
UNKNOWN = f'{FACETS}["v"] != {quoted(_VERSION)}'
"""Rows of which the column does not tell all."""
_TOLD_NOT = {"v": "0"}
MOST_BYTES = 65_000
"""Of the column; Milvus takes 65,536 (``common.JSONMaxLength``) in its own spelling of JSON."""
MOST_DEPTH = 16
"""Of a path, and of the metadata in the column."""
MOST_ELEMENTS = 64
"""Of a list in the column."""
_MOST_VALUES = 500
"""Of one condition."""
_UNSAFE = frozenset('"\\')
"""In a key: servers differ in how they read it."""
_OF = frozenset({"source", "session", "version"})
_SIGNS: Mapping[Operator, str] = {
    Operator.GT: ">", Operator.GTE: ">=", Operator.LT: "<", Operator.LTE: "<="
}  # fmt: skip
_NEVER = '(id == "")'
_OPEN: Narrowed[str] = Narrowed(None, exact=False)


def facets_of(item: MemoryItem) -> dict[str, Any]:
    """The value of the column."""
    found: dict[str, Any] = {"v": _VERSION, "of": _fields(item)}
    for path, value in _leaves(item.metadata):
        _note(found, path, value)
    size = len(json.dumps(found, ensure_ascii=False).encode())
    return found if size <= MOST_BYTES else dict(_TOLD_NOT)


def said(found: Condition, *, negated: bool) -> Narrowed[str]:
    """A condition on a field without a column, in Milvus' language."""
    paths = _paths(found.field)
    if paths is None:
        return _OPEN
    made = _positive(found, *paths)
    if made.said is None or not negated:
        return made
    if not made.exact:  # it admits more, so its negation would admit less
        return _OPEN
    if found.operator is Operator.EXISTS or _holds_without_value(found):
        return Narrowed(f"(not {made.said})", exact=True)
    # A server may find neither a condition on a missing key true nor its negation.
    path = paths[2] if paths[2] in made.said else paths[0]
    return Narrowed(_any_of([f"not {made.said}", f"not (exists {path})"]), exact=True)


def _holds_without_value(found: Condition) -> bool:
    return found.value is None or (isinstance(found.value, tuple) and None in found.value)


def _fields(item: MemoryItem) -> dict[str, str]:
    session = item.provenance.conversation_id
    found = {
        "source": tokens.stored(item.provenance.source.value),
        "version": tokens.stored(item.version),
    }
    return found if session is None else found | {"session": tokens.stored(session)}


def _leaves(
    metadata: Mapping[str, Any], before: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Paths and what is there, objects before what they hold; nothing of what is null."""
    for key, value in metadata.items():
        path = (*before, key)
        if value is None:
            continue
        yield path, value
        if isinstance(value, Mapping) and len(path) < MOST_DEPTH:
            yield from _leaves(value, path)


def _note(found: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    if isinstance(value, Mapping):
        _put(found, ("is", *path), {})
    elif isinstance(value, (list, tuple)):
        _note_list(found, path, value)
    else:
        _put(found, ("is", *path), tokens.stored(value))
        if isinstance(value, str) and (moment := instant(value)) is not None:
            _put(found, ("at", *path), tokens.stored(moment))


def _note_list(found: dict[str, Any], path: tuple[str, ...], value: Sequence[Any]) -> None:
    scalars = [one for one in value if isinstance(one, (str, int, float))]
    listed = list(dict.fromkeys(map(tokens.stored, scalars)))
    told = len(listed) <= MOST_ELEMENTS
    _put(found, ("is", *path), tokens.LIST if told else tokens.LONG_LIST)
    if told:
        _put(found, ("in", *path), listed)


def _put(found: dict[str, Any], path: tuple[str, ...], value: Any) -> None:
    *way, last = path
    for key in way:
        found = found.setdefault(key, {})
    found[last] = value


def _paths(field: FilterField) -> tuple[str, str, str] | None:
    """Where the value, the elements and the moment of a field are; None if they may not be."""
    if field.path:
        parts = field.path
        if len(parts) > MOST_DEPTH or not all(map(_is_safe, parts)):
            return None
        return (_path("is", parts), _path("in", parts), _path("at", parts))
    if field.name in _OF:
        parts = (field.name,)
        return (_path("of", parts), _path("in", parts), _path("at", parts))
    return None


def _is_safe(key: str) -> bool:
    return key.isprintable() and _UNSAFE.isdisjoint(key)


def _path(root: str, parts: Sequence[str]) -> str:
    return FACETS + "".join(f"[{quoted(part)}]" for part in (root, *parts))


def _positive(found: Condition, value: str, elements: str, moment: str) -> Narrowed[str]:
    given: Any = found.value
    match found.operator:
        case Operator.EXISTS:
            return Narrowed(f"(exists {value})", exact=True)
        case Operator.EQ | Operator.IN:
            return _among(value, given if isinstance(given, tuple) else (given,))
        case Operator.CONTAINS:
            return _containing(value, elements, given)
        case Operator.ICONTAINS:
            kinds = [_of_kind(value, tokens.TEXT), _is_list(value)]
            return Narrowed(_any_of(kinds), exact=False)
    if found.field.kind in {ValueKind.TEXT, ValueKind.WORD}:
        return _OPEN  # the column has no moments of these
    return _ordered(value, moment, found.operator, given)


def _among(path: str, values: Sequence[Scalar]) -> Narrowed[str]:
    listed = [tokens.asked(one) for one in values if one is not None]
    if len(listed) > _MOST_VALUES or None in listed:
        return _OPEN
    parts = []
    if listed:
        parts.append(f"{path} in [{', '.join(quoted(one) for one in listed if one)}]")
    if None in values:
        parts.append(f"not (exists {path})")
    return Narrowed(_any_of(parts), exact=True) if parts else Narrowed(_NEVER, exact=True)


def _containing(path: str, elements: str, value: Scalar) -> Narrowed[str]:
    """An element of a list, or a part of a text, which no server can tell."""
    if value is None:
        return Narrowed(f"({_is_list(path)})", exact=False)
    token = tokens.asked(value)
    if token is None:
        return _OPEN
    parts = [
        f"json_contains({elements}, {quoted(token)})",
        f"{path} == {quoted(tokens.LONG_LIST)}",
    ]
    if isinstance(value, str):
        parts.append(_of_kind(path, tokens.TEXT))
    return Narrowed(_any_of(parts), exact=False)


def _ordered(path: str, moment: str, operator: Operator, value: Scalar) -> Narrowed[str]:
    if isinstance(value, bool) or value is None:
        return Narrowed(_NEVER, exact=True)
    if isinstance(value, str) and (at := instant(value)) is not None:
        path, value = moment, at
    token = tokens.asked(value)
    if token is None:
        return _OPEN
    kind = token[0]
    upwards = operator in {Operator.GT, Operator.GTE}
    bound = f"{path} < {quoted(tokens.after(kind))}" if upwards else f"{path} >= {quoted(kind)}"
    return Narrowed(f"({path} {_SIGNS[operator]} {quoted(token)} and {bound})", exact=True)


def _of_kind(path: str, kind: str) -> str:
    return f"({path} >= {quoted(kind)} and {path} < {quoted(tokens.after(kind))})"


def _is_list(path: str) -> str:
    return f"{path} in [{quoted(tokens.LIST)}, {quoted(tokens.LONG_LIST)}]"


def _any_of(parts: Sequence[str]) -> str:
    return f"({' or '.join(f'({part})' for part in parts)})"
