"""Which memories a request in mem0's words means: ids and conditions, taken apart. Pure.

Their filters hold ids among the conditions: ``{"AND": [{"user_id": "ada"}, {"tag": "work"}]}``. An
id that must hold becomes part of the scope, everything else stays a condition within it.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from recollect.memory import InvalidInputError, ScopeError
from recollect.memory.owner import Owner
from recollect.memory.scope import SCOPE_REQUIRED

from ..fields import SCOPE_IDS

MAX_LEVELS = 20
"""Filters within filters."""
MAX_CHARS = 8000
"""Of an object in a query string."""
WILDCARD = "*"
_RENAMED = {"keywords": "memory", "memory_ids": "id"}
_ABSENT = {
    "app_id": "there is no app level; use agent_id, run_id or a key of the metadata",
    "categories": "memories have no categories; use a key of the metadata",
}


@dataclass(frozen=True, slots=True)
class Meant:
    """A scope, and conditions within it as `memory.query` reads them."""

    ids: dict[str, Any]
    filters: dict[str, Any] | None = None


def meant(
    owner: Owner, ids: Mapping[str, Any], filters: object = None, *more: Mapping[str, Any]
) -> Meant:
    """What ids beside the filters, the filters, and `more` conditions mean together.

    Raises:
        InvalidInputError: a part has no meaning here.
        ScopeError: none of them names whose memories.
    """
    taken: dict[str, Any] = {}
    given = {name: value for name, value in ids.items() if value is not None}
    for name, value in given.items():
        if not isinstance(value, str):
            raise InvalidInputError(name, "expected a string")
    if filters is not None and not isinstance(filters, Mapping):
        raise InvalidInputError("filters", "expected an object")
    kept = [*_split(given, taken, 0), *_split(filters or {}, taken, 0)]
    for each in more:
        kept += _split(each, taken, 0)
    if not taken and owner.user_id is None:
        raise ScopeError(_NOBODY)
    conditions = {"AND": kept} if len(kept) > 1 else next(iter(kept), None)
    return Meant(taken, conditions)


_NOBODY = (
    f"{SCOPE_REQUIRED}, beside the filters or within them at the top or in AND; neither `*` nor an "
    "OR over ids "
    "says whose memories are meant"
)


def _split(said: Mapping[str, Any], taken: dict[str, Any], level: int) -> list[dict[str, Any]]:
    """The conditions but for the ids that must hold, which are added to `taken`."""
    if level >= MAX_LEVELS:
        raise InvalidInputError("filters", f"must have at most {MAX_LEVELS} levels")
    if _is_named(said):
        return [dict(said)]
    kept: list[dict[str, Any]] = []
    for name, value in said.items():
        if name == "AND" and isinstance(value, list) and value:
            for part in value:
                kept += _split(_an_object(part), taken, level + 1)
        elif (named := _id_in(name, value)) is not None:
            if taken.setdefault(name, named) != named:
                raise InvalidInputError(name, "is given twice, with different values")
        else:
            kept.append(_translated(name, value, level))
    return kept


def _id_in(name: str, value: Any) -> Any:
    """The id that must hold; None if it is another condition."""
    if name not in SCOPE_IDS:
        return None
    if isinstance(value, Mapping) and value.keys() == {"eq"}:
        value = value["eq"]
    if value is None or isinstance(value, (Mapping, list)) or value == WILDCARD:
        return None
    return value  # one that is no text is refused with the scope


def _translated(name: str, value: Any, level: int) -> dict[str, Any]:
    """A condition in the words of `memory.query`."""
    if name in _ABSENT:
        raise InvalidInputError(name, _ABSENT[name])
    if name in {"AND", "OR", "NOT"}:
        return {name: _inner(value, level)}
    if name == "metadata" and isinstance(value, Mapping):
        return {f"metadata.{key}": inner for key, inner in value.items()}
    return {_RENAMED.get(name, name): value}


def _inner(value: Any, level: int) -> Any:
    if level >= MAX_LEVELS:
        raise InvalidInputError("filters", f"must have at most {MAX_LEVELS} levels")
    if isinstance(value, list):
        return [_inner(part, level) for part in value]
    if not isinstance(value, Mapping):
        return value  # refused where it is read
    if _is_named(value):
        return dict(value)
    parts = [_translated(name, each, level + 1) for name, each in value.items()]
    return parts[0] if len(parts) == 1 else {"AND": parts} if parts else {}


def _is_named(said: Mapping[str, Any]) -> bool:
    """Whether it is a condition in the other dialect, which names its parts."""
    if "field" not in said or "operator" not in said:
        return False
    name = said["field"]
    if isinstance(name, str) and name in _ABSENT:
        raise InvalidInputError(name, _ABSENT[name])
    return True


def _an_object(part: object) -> Mapping[str, Any]:
    if not isinstance(part, Mapping):
        raise InvalidInputError("filters", "expected objects in AND")
    return part


def object_in(name: str, text: str) -> dict[str, Any]:
    """An object from a query string: JSON, or the text that Python prints for a dictionary.

    mem0's Python client sends the latter. Raises InvalidInputError for anything else.
    """
    refused = InvalidInputError(name, "expected an object as JSON")
    if len(text) > MAX_CHARS:
        raise InvalidInputError(name, f"expected at most {MAX_CHARS} characters")
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = _literal(text)
    try:
        json.dumps(found, allow_nan=False, ensure_ascii=False).encode()
        found = json.loads(json.dumps(found))
    except (TypeError, ValueError, RecursionError):
        raise refused from None
    if not isinstance(found, dict):
        raise refused
    return found


def _literal(text: str) -> object:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
