"""Names as numbers: what an index holds instead of them. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any


def digest(*parts: str | None) -> int:
    """An int64 for these texts in this order, never 0; 0 if one of them is not set."""
    made = blake2b(digest_size=8)
    for part in parts:
        if part is None:
            return 0
        raw = part.encode("utf-8", "surrogatepass")
        made.update(len(raw).to_bytes(8, "big") + raw)
    return int.from_bytes(made.digest(), "big", signed=True) or 1


def mark_of(path: Sequence[str], value: object) -> int | None:
    """The digest of "the metadata has this value at this path".

    None: the value is null, a list or an object, which no mark tells. Values that are equal in a
    filter have one mark: all numbers are one type, and true is not 1.
    """
    match value:
        case bool():
            return digest("bool", str(value), *path)
        case int() | float():
            return digest("number", _number(value), *path)
        case str():
            return digest("text", value, *path)
    return None


def marks_of(metadata: Mapping[str, Any]) -> tuple[int, ...]:
    """The marks of a row: of each value that `mark_of` knows, also inside objects."""
    return tuple(sorted(set(_marks(metadata, ()))))


def _marks(values: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[int]:
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from _marks(value, (*path, key))
        elif (mark := mark_of((*path, key), value)) is not None:
            yield mark


def _number(value: float) -> str:
    """One text for equal numbers."""
    if isinstance(value, int) or value.is_integer():
        return format(int(value), "x")  # decimal digits are limited
    return repr(value)
