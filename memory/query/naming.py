"""Whose memories a filter means: ids among its conditions, taken apart. Pure.

``{"AND": [{"user_id": "ada"}, {"tag": "work"}]}`` means the memories of one user with a tag. An id
that must hold is a scope, everything else a condition within it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..model.errors import InvalidInputError, ScopeError
from ..model.scope import SCOPE_IDS, SCOPE_REQUIRED
from .parser import MAX_LEVELS, WILDCARD, check_size

Condition = dict[str, Any]
"""One key with its value, or a condition that names its parts."""


@dataclass(frozen=True, slots=True)
class NamedScope:
    """The ids of a scope, and the filter within it."""

    ids: dict[str, Any]
    filters: Condition | None


def taken_apart(said: object, taken: dict[str, Any], level: int = 0) -> list[Condition]:
    """The conditions but for the ids that must hold, which are added to `taken`.

    An id must hold if it is compared with one value, at the top or in AND.

    Raises:
        InvalidInputError: it is no object, or an id is given twice with different values.
    """
    if level >= MAX_LEVELS:
        raise InvalidInputError("filters", f"must have at most {MAX_LEVELS} levels")
    if not isinstance(said, Mapping):
        raise InvalidInputError("filters", "expected objects in AND" if level else _AN_OBJECT)
    if "field" in said and "operator" in said:
        exact = said["operator"] == "eq" and len(said) == len(_NAMED)
        took = exact and _took(said["field"], said.get("value"), taken)
        return [] if took else [dict(said)]
    kept: list[Condition] = []
    for name, value in said.items():
        if name == "AND" and isinstance(value, (list, tuple)) and value:
            for part in value:
                kept += taken_apart(part, taken, level + 1)
        elif not _took(name, value, taken):
            kept.append({name: value})
    return kept


def together(conditions: Sequence[Condition]) -> Condition | None:
    """The filter that holds if all of them do; None without any."""
    return {"AND": list(conditions)} if len(conditions) > 1 else next(iter(conditions), None)


def scope_in(filters: object) -> NamedScope:
    """The scope that a filter names, for a call without one.

    Raises:
        InvalidInputError: as `taken_apart`; it is too large.
        ScopeError: no id must hold, or an id is there that does not say whose memories are meant.
    """
    check_size(filters)
    taken: dict[str, Any] = {}
    kept = taken_apart(filters, taken)
    if not taken:
        unclear = next(filter(None, (_unclear(each) for each in kept)), "")
        raise ScopeError(f"{SCOPE_REQUIRED}{_EXACTLY + unclear if unclear else ''}")
    return NamedScope(taken, together(kept))


_AN_OBJECT = "expected an object"
_NAMED = ("field", "operator", "value")
_EXACTLY = ", in filters as one exact id at the top or in AND: "


def _took(name: object, value: Any, taken: dict[str, Any]) -> bool:
    """Whether it is an id that must hold, which is `taken` then."""
    if not isinstance(name, str) or name not in SCOPE_IDS:
        return False
    if isinstance(value, Mapping) and value.keys() == {"eq"}:
        value = value["eq"]
    if value is None or value == WILDCARD or isinstance(value, (Mapping, list, tuple, set)):
        return False
    # One that is no text is refused with the scope.
    if taken.setdefault(name, value) != value:
        raise InvalidInputError(name, "is given twice, with different values")
    return True


def _unclear(said: object, within: str = "", level: int = 0) -> str:
    """The first id that names nobody, and why; empty if there is none."""
    if isinstance(said, (list, tuple)):
        return next(filter(None, (_unclear(each, within, level + 1) for each in said)), "")
    if not isinstance(said, Mapping) or level >= MAX_LEVELS:
        return ""
    if said.get("field") in SCOPE_IDS:
        return f"{said['field']} is {within or _how({str(said.get('operator')): 0})}"
    for name, value in said.items():
        if name in SCOPE_IDS:
            return f"{name} is {within or _how(value)}"
        if name in {"AND", "OR", "NOT"} and (
            found := _unclear(value, within or f"within {name}", level + 1)
        ):
            return found
    return ""


def _how(value: object) -> str:
    if value == WILDCARD:
        return f"{WILDCARD!r}"
    if isinstance(value, Mapping):
        return f"compared by {', '.join(str(each)[:60] for each in value)}"
    return "null" if value is None else "a list"
