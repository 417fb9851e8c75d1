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
from recollect.memory.model.owner import Owner
from recollect.memory.model.scope import SCOPE_REQUIRED
from recollect.memory.query import check_size, taken_apart, together
from recollect.memory.util.untrusted_json import REQUEST, read_json

MAX_LEVELS = 20
"""Filters within filters."""
MAX_CHARS = 8000
"""Of an object in a query string."""
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

    @property
    def asked(self) -> dict[str, Any]:
        """As arguments of the library."""
        return {**self.ids, "filters": self.filters}


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
    said = [given, {} if filters is None else filters, *more]
    for each in said:
        check_size(each)
    kept = [_translated(one) for each in said for one in taken_apart(each, taken)]
    if not taken and owner.user_id is None:
        raise ScopeError(_NOBODY)
    return Meant(taken, together(kept))


_NOBODY = (
    f"{SCOPE_REQUIRED}, beside the filters or within them at the top or in AND; neither `*` nor an "
    "OR over ids "
    "says whose memories are meant"
)


def _translated(said: Mapping[str, Any], level: int = 0) -> dict[str, Any]:
    """Conditions in the words of `memory.query`; all of them must hold."""
    if level > MAX_LEVELS:
        raise InvalidInputError("filters", f"must have at most {MAX_LEVELS} levels")
    if "field" in said and "operator" in said:
        _refuse_absent(said["field"])
        return dict(said)
    parts = [_one(name, value, level) for name, value in said.items()]
    return together(parts) or {}


def _one(name: str, value: Any, level: int) -> dict[str, Any]:
    _refuse_absent(name)
    if name in {"AND", "OR", "NOT"}:
        return {name: _inner(value, level)}
    if name == "metadata" and isinstance(value, Mapping):
        return {f"metadata.{key}": inner for key, inner in value.items()}
    return {_RENAMED.get(name, name): value}


def _inner(value: Any, level: int) -> Any:
    if isinstance(value, (list, tuple)):
        return [_inner(part, level) for part in value]
    # Anything else is refused where it is read.
    return _translated(value, level + 1) if isinstance(value, Mapping) else value


def _refuse_absent(name: object) -> None:
    if isinstance(name, str) and name in _ABSENT:
        raise InvalidInputError(name, _ABSENT[name])


def object_in(name: str, text: object) -> dict[str, Any]:
    """An object from a query string: JSON, or the text that Python prints for a dictionary.

    mem0's Python client sends the latter. Raises InvalidInputError for anything else.
    """
    refused = InvalidInputError(name, "expected an object as JSON")
    if not isinstance(text, str):
        raise refused
    if len(text) > MAX_CHARS:
        raise InvalidInputError(name, f"expected at most {MAX_CHARS} characters")
    try:
        found = read_json(text, REQUEST)
    except ValueError:
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
