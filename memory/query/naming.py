"""Whose memories a filter means, and whether it leaves something out. Pure.

``{"AND": [{"user_id": "ada"}, {"tag": "work"}]}`` means the memories of one user with a tag. An id
that must hold is a scope, everything else a condition within it.

A filter whose condition was lost on the way, ``{}`` or ``{"AND": [{}]}``, holds for every memory. A
search may be asked so; a deletion would remove more than anybody meant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..model.errors import InvalidInputError, ScopeError
from ..model.filters import EVERYTHING
from ..model.scope import SCOPE_IDS, SCOPE_REQUIRED
from ..model.types import Scope
from .filter_json import MAX_LEVELS, WILDCARD, check_size, parse
from .simplify import simplified

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
        return [] if _took_named(said, taken) else [dict(said)]
    kept: list[Condition] = []
    for name, value in said.items():
        if name == "AND" and isinstance(value, (list, tuple)) and value:
            for part in value:
                kept += taken_apart(part, taken, level + 1)
        elif not _took(name, value, taken):
            kept.append({name: value})
    return kept


def _took_named(said: Mapping[str, Any], taken: dict[str, Any]) -> bool:
    """Whether a condition that names its parts is an id that must hold."""
    exact = said["operator"] == "eq" and len(said) == len(_NAMED)
    return exact and _took(said["field"], said.get("value"), taken)


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
        unclear = next(filter(None, (unclear_id(each) for each in kept)), "")
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


def unclear_id(said: object, within: str = "", level: int = 0) -> str:
    """The first id that names nobody, and why; empty if there is none."""
    if isinstance(said, (list, tuple)):
        return next(filter(None, (unclear_id(each, within, level + 1) for each in said)), "")
    if not isinstance(said, Mapping) or level >= MAX_LEVELS:
        return ""
    if said.get("field") in SCOPE_IDS:
        return f"{said['field']} is {within or _how({str(said.get('operator')): 0})}"
    for name, value in said.items():
        if name in SCOPE_IDS:
            return f"{name} is {within or _how(value)}"
        if name in {"AND", "OR", "NOT"} and (
            found := unclear_id(value, within or f"within {name}", level + 1)
        ):
            return found
    return ""


def _how(value: object) -> str:
    if value == WILDCARD:
        return f"{WILDCARD!r}"
    if isinstance(value, Mapping):
        return f"compared by {', '.join(str(each)[:60] for each in value)}"
    return "null" if value is None else "a list"


_COMBINE = ("AND", "OR", "NOT", "metadata")
"""What holds filters, or the keys of the metadata in mem0's words."""


def check_narrows(said: object, scope: Scope | None = None) -> None:
    """Whether a filter that is given narrows what a deletion removes; None is no filter.

    Raises:
        InvalidInputError: it holds for every memory (of the scope), or a part of it is empty.
    """
    check_filled(said)
    if said is not None and simplified(parse(said), scope) == EVERYTHING:
        raise InvalidInputError("filters", f"{_MUST_NARROW}: every memory has this; {_INSTEAD}")


def check_filled(said: object, name: str = "filters") -> None:
    """Only whether no part of it is empty: where ids in a filter say whose memories are meant.

    Raises InvalidInputError.
    """
    check_size(said)
    if _is_empty(said):
        raise InvalidInputError(name, f"{_MUST_NARROW}: an object in it is empty; {_INSTEAD}")


_MUST_NARROW = "must narrow what is removed"
_INSTEAD = "delete_all, without it, removes all of the scope"


def _is_empty(said: object) -> bool:
    """Whether a filter, or one that is combined in it, has no condition."""
    waiting = [said]
    while waiting:
        one = waiting.pop()
        if isinstance(one, (list, tuple)):
            waiting += one
        elif isinstance(one, Mapping):
            if not one:
                return True
            waiting += [inner for name, inner in one.items() if name in _COMBINE]
    return False
