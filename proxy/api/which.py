"""The fields that say which memories of a scope are meant: one list for every route that asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from recollect.memory import InvalidInputError
from recollect.memory.model.inputs import MAX_WORDINGS
from recollect.memory.model.kinds import MemoryKind
from recollect.memory.model.types import MemoryStatus, MemoryType
from recollect.memory.query import QueryArguments
from recollect.memory.util.untrusted_json import REQUEST, JsonTwiceError, read_json

from .fields import Field, Schema, flag, in_query, text

_MOMENT = "ISO 8601."


def _as_it_is(_name: str, value: Any) -> Any:
    """No check here: the library validates the value and names the wrong part."""
    return value


def _words(name: str, description: str, schema: Schema) -> Field:
    return Field(name=name, description=description, schema=schema, read=_as_it_is)


def _listed(words: type[MemoryStatus | MemoryType | MemoryKind]) -> Schema:
    return {
        "type": "array",
        "items": {"type": "string", "enum": [word.value for word in words]},
        "minItems": 1,
    }


FILTERS = _words(
    "filters",
    'Conditions on fields and metadata, such as {"tag": "work", "priority": {"gte": 2}}.',
    {"type": ["object", "null"]},
)
WHICH = (
    _words(
        "status", "Memories of this status. Default: active.",
        {"type": "string", "enum": [word.value for word in MemoryStatus]},
    ),
    _words("statuses", "Memories of any of these statuses.", _listed(MemoryStatus)),
    _words(
        "kinds", "Memories, or what users said and is no memory yet. Default: both.",
        _listed(MemoryKind),
    ),
    _words("types", "Memories of any of these types.", _listed(MemoryType)),
    FILTERS,
    text("session", "The conversation that they were learned from."),
    text("created_from", f"Created then or later: {_MOMENT}"),
    text("created_to", f"Created before then: {_MOMENT}"),
    text("valid_from", f"Still true then: {_MOMENT}"),
    text("valid_to", f"True already before then: {_MOMENT}"),
    text("as_of", f"What was true then: {_MOMENT}"),
    text("known_at", f"What was known then: {_MOMENT}"),
)  # fmt: skip
"""Of a body; `in_a_query` gives them for a query string."""
CURSOR = text("cursor", "The `next` of the page before.")
WORDINGS = tuple(
    _words(
        name, description,
        {"type": "array", "items": {"type": "string", "minLength": 1}, "maxItems": MAX_WORDINGS},
    )
    for name, description in (
        ("multi_query", "Other wordings of the query."),
        ("hyde", "Possible answers to the query, which are searched for by meaning."),
    )
)  # fmt: skip
DRY_RUN = flag("dry_run", "Delete nothing: answer what would be deleted.")
ERASE = flag("erase", "Erase everywhere, as by a forget; the answer has a receipt.")


def in_a_query(fields: tuple[Field, ...]) -> tuple[Field, ...]:
    """The same for a query string: lists are separated by commas, objects are JSON."""
    return in_query([_as_text(field) for field in fields])


def which_of(asked: Mapping[str, Any]) -> QueryArguments:
    """The arguments of the library's methods."""
    return cast(
        "QueryArguments",
        {field.name: asked[field.name] for field in WHICH if asked[field.name] is not None},
    )


def _as_text(field: Field) -> Field:
    kind = field.schema.get("type")
    if kind not in ("array", ["object", "null"]):
        return field
    told = "Separated by commas." if kind == "array" else "As JSON."
    return replace(
        field,
        description=f"{field.description} {told}",
        schema={"type": "string"},
        read=_from_list if kind == "array" else _from_json,
    )


def _from_list(_name: str, value: Any) -> list[str]:
    return [each.strip() for each in value.split(",")]


def _from_json(name: str, value: Any) -> Any:
    try:
        return read_json(value, REQUEST, once=True)
    except JsonTwiceError as error:
        raise InvalidInputError(name, f"has {str(error)[:60]!r} twice") from None
    except ValueError:
        raise InvalidInputError(name, "expected a JSON object") from None
