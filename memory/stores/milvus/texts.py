"""Metadata as the text that it is in its column, for Milvus Lite. Pure.

A memory whose tag is "work" has ``"tag":"work"`` in that text, as `shared.rows` writes it; so has
one with another "tag" deeper in its metadata. Such a pattern admits at least what a condition does,
in collections of every age, and Milvus Lite finds it in a column at once: to read JSON it turns
every row of every user into Python.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ...model.filters import Condition, Operator, Scalar
from ...query.narrowing import Narrowed
from .expr import quoted

_COLUMN = "metadata"
_WILD = frozenset("%_\\")
"""Characters with a meaning in a pattern."""
_MOST_VALUES = 32
"""Of one condition: each is looked for in every row."""
_PLAIN = 10**15
"""JSON has integers, and floats that are integers, below it without an exponent."""
_OPEN: Narrowed[str] = Narrowed(None, exact=False)


def said(found: Condition, *, negated: bool) -> Narrowed[str]:
    """A condition on the metadata, as patterns; never exact."""
    if negated or not found.field.path:
        return _OPEN
    key = f"{_json(found.field.path[-1])}:"
    match found.operator:
        case Operator.EQ | Operator.IN:
            parts = _among(key, found.value if isinstance(found.value, tuple) else (found.value,))
        case Operator.CONTAINS:
            parts = [_containing(key, found.value)]
        case _:
            parts = [[key]]
    if not parts:
        return _OPEN
    likes = [f"{_COLUMN} like {quoted(_pattern(part))}" for part in parts]
    return Narrowed(f"({' or '.join(likes)})", exact=False)


def _among(key: str, values: Sequence[Scalar]) -> list[list[str]]:
    """The texts of which one is there; none if there may be none."""
    if None in values:
        return []
    return [[key + _start(one)] for one in values] if len(values) <= _MOST_VALUES else [[key]]


def _start(value: Scalar) -> str:
    """What the JSON of everything that equals a value begins with."""
    if isinstance(value, (str, bool)) or value is None:
        return _json(value)
    if abs(value) >= _PLAIN or not value:  # -0.0 is zero
        return ""
    return _json(int(value) if value == int(value) else value)


def _containing(key: str, value: Any) -> list[str]:
    return [key, _json(value)[1:-1]] if isinstance(value, str) else [f"{key}["]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _pattern(parts: Sequence[str]) -> str:
    """The parts in this order, with anything between them; what has a meaning is any character."""
    plain = ("".join("_" if one in _WILD else one for one in part) for part in parts)
    return f"%{'%'.join(plain)}%"
