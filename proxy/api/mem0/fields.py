"""The fields that mem0's clients send, with what each does here."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from recollect.memory import InvalidInputError
from recollect.memory.model.messages import MAX_MESSAGES
from recollect.memory.query import parse

from .. import fields
from ..fields import Field, Schema
from .filters import object_in

MAX_BATCH = 1000
MAX_PAGE = 10_000
DEFAULT_TOP_K = 10
DEFAULT_PAGE_SIZE = 100
MAX_PAGE_SIZE = 1000
_NOTHING: tuple[Any, ...] = (None, "", [], {})


def _storable(name: str, value: Any) -> Any:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise InvalidInputError(name, "must be valid Unicode text") from None
    except RecursionError:
        raise InvalidInputError(name, "has too many levels") from None
    return value


def idle(name: str, why: str) -> Field:
    """A field that is accepted and chooses nothing; `why` says what does instead."""
    described = f"Accepted; chooses nothing: {why}"
    return Field(name=name, description=described, schema={}, read=_storable, idle=True)


def unsupported(name: str, instead: str, *harmless: Any) -> Field:
    """A field that must be empty or `harmless`: ignored, it would do something else than asked."""
    allowed = (*_NOTHING, *harmless)

    def read(_name: str, value: Any) -> None:
        if not any(type(value) is type(each) and value == each for each in allowed):
            raise InvalidInputError(name, f"is not supported: {instead}")

    described = f"Not supported: {instead}"
    return Field(
        name=name, description=described, schema={"enum": [*allowed]}, read=read, idle=True
    )


def _an_object(name: str, value: Any) -> Any:
    if value is not None and not isinstance(value, Mapping):
        raise InvalidInputError(name, "expected an object")
    return _storable(name, value)


def _conditions(name: str, value: Any) -> Any:
    """Checked here too, so that a refusal names this field and not the filters."""
    if _an_object(name, value):
        try:
            parse({f"metadata.{key}": wanted for key, wanted in value.items()})
        except InvalidInputError as error:
            raise InvalidInputError(name, error.expected) from None
    return value


def _object_or_text(name: str, value: Any) -> Any:
    if not isinstance(value, (Mapping, str)):
        raise InvalidInputError(name, "expected an object or a text")
    return _storable(name, value)


def _names(name: str, value: Any) -> Any:
    listed = isinstance(value, list) and all(isinstance(each, str) for each in value)
    if value is not None and not listed:
        raise InvalidInputError(name, "expected a list of texts")
    return _storable(name, value)


def _items(allowed: Mapping[str, Callable[[str, Any], Any]]) -> Callable[[str, Any], Any]:
    """Reads a list of objects, all of them before anything is done."""

    def read(name: str, value: Any) -> list[dict[str, Any]]:
        if not isinstance(value, list) or not 1 <= len(value) <= MAX_BATCH:
            raise InvalidInputError(name, f"expected a list of 1 to {MAX_BATCH} objects")
        for item in value:
            if not isinstance(item, dict) or not isinstance(item.get("memory_id"), str):
                raise InvalidInputError(name, "expected objects with a memory_id")
            if unknown := sorted(item.keys() - allowed.keys()):
                raise InvalidInputError(name, f"has a key that is not known: {unknown[0][:60]!r}")
            for key, inner in item.items():
                allowed[key](name, inner)
        return _storable(name, value)  # type: ignore[no-any-return]

    return read


def _a_text(name: str, value: Any) -> None:
    if value is not None and not isinstance(value, str):
        raise InvalidInputError(name, "expected texts")


def _batch(**properties: Schema) -> Schema:
    item = {
        "type": "object",
        "required": ["memory_id"],
        "properties": {"memory_id": {"type": "string"}, **properties},
        "additionalProperties": False,
    }
    return {
        "title": "a list of objects with a memory_id",
        "type": "array", "items": item, "minItems": 1, "maxItems": MAX_BATCH,
    }  # fmt: skip


_PART = {"type": "object"}
_MESSAGE: Schema = {
    "type": "object",
    "required": ["role"],
    "properties": {
        "role": {"type": "string", "minLength": 1},
        "content": {
            "description": "Text, one content part, or several, as in the Chat API.",
            "anyOf": [{"type": ["string", "null"]}, _PART, {"type": "array"}],
        },
    },
}
MESSAGES = replace(
    fields.MESSAGES,
    schema={
        "title": "a string or a list of messages",
        "anyOf": [
            {"type": "string"},
            _MESSAGE,
            {"type": "array", "items": _MESSAGE, "maxItems": MAX_MESSAGES},
        ],
    },
)
PROJECT = (
    idle("org_id", "the credential says whose memories these are."),
    idle("project_id", "the credential says whose memories these are."),
)
"""Of everything that clients before 2.0 send."""
PROJECT_ID = fields.text("project_id", "Must be the tenant, if it is given: a project is one.")
"""Of deletions."""
OLD = (
    idle("version", "the path has the version."),
    idle("api_version", "the path has the version."),
    idle("async_mode", "additions are done when the answer comes."),
    idle("enable_graph", "there is no graph beside the memories."),
)
OUTPUT_FORMAT = Field(
    name="output_format",
    description="Any value: the answer of an addition has the shape that mem0's clients read.",
    schema={"type": ["string", "null"]},
    read=fields.PROMPT.read,
)
IDLE_FORMAT = idle("output_format", "answers have `results`.")
EXPIRATION = unsupported("expiration_date", "memories do not expire; delete them, or by a query")
CLEARED = replace(
    EXPIRATION,
    description="`null` is accepted, and is so anyway: memories do not expire.",
    read=lambda name, value: EXPIRATION.read(name, value) is None,
    default=False,
    idle=False,
)
"""Of an update: true if the request clears the time of its end."""
APP = unsupported("app_id", "there is no app level; use agent_id, run_id or a key of the metadata")
CATEGORIES = unsupported("categories", "memories have no categories; use a key of the metadata")
NOT_STORED = (
    EXPIRATION,
    APP,
    unsupported("immutable", "every memory can be changed", False),  # noqa: FBT003 - a JSON value
    unsupported("includes", "set learn.prompt, or give `prompt`"),
    unsupported("excludes", "set learn.prompt, or give `prompt`"),
    unsupported("custom_instructions", "set learn.prompt, or give `prompt`, which replaces it"),
    unsupported("agent_custom_instructions", "set learn.prompt, or give `prompt`"),
    unsupported("custom_categories", "memories have no categories; use metadata"),
    unsupported("structured_data_schema", "use metadata"),
)
"""Of an addition: ignored, something else would be stored than was asked for."""
FILTERS = Field(
    name="filters",
    description="mem0's filters. An id at the top or in AND says whose memories are meant; all "
    'else is a condition within them, such as {"AND": [{"user_id": "ada"}, {"tag": "work"}]}.',
    schema={"type": ["object", "null"]},
    read=_an_object,
)
METADATA_IS = Field(
    name="metadata",
    description="Conditions on keys of the metadata, as in filters.",
    schema={"type": ["object", "null"]},
    read=_conditions,
)
TEXT_FILTERS = Field(
    name="filters",
    description=f"{FILTERS.description} As JSON, or as Python prints a dictionary.",
    schema={"type": "string"},
    read=object_in,
)
TEXT_METADATA = Field(
    name="metadata",
    description="Conditions on keys of the metadata. As JSON, or as Python prints a dictionary.",
    schema={"type": "string"},
    read=lambda name, value: _conditions(name, object_in(name, value)),
)
TOP_K = fields.whole("top_k", "Most results.", high=1000, default=DEFAULT_TOP_K)
LIMIT = Field(
    name="limit",
    description="Another name of top_k, which it replaces.",
    schema={"type": ["integer", "null"], "minimum": 1, "maximum": 1000},
    read=lambda name, value: None if value is None else TOP_K.read(name, value),
)
FIELDS = Field(
    name="fields",
    description="Only these keys of each memory, and its id.",
    schema={"type": ["array", "null"], "items": {"type": "string"}},
    read=_names,
)
PAGE = fields.whole("page", "Which page, from 1.", high=MAX_PAGE, default=1)
PAGE_SIZE = fields.whole(
    "page_size", "Memories of a page.", high=MAX_PAGE_SIZE, default=DEFAULT_PAGE_SIZE
)
_DAY = "ISO 8601 or seconds since the epoch: created {} then."
START_DATE = replace(fields.TIMESTAMP, name="start_date", description=_DAY.format("at or after"))
END_DATE = replace(fields.TIMESTAMP, name="end_date", description=_DAY.format("at or before"))
SHOW_EXPIRED = idle("show_expired", "memories do not expire.")
LATEST_ONLY = idle("latest_only", "earlier versions are never among the results.")
RANKING = (
    idle("rerank", "every search ranks by meaning, words, names and time together."),
    idle("keyword_search", "every search looks for words too."),
    idle("filter_memories", "`threshold` leaves out what does not answer."),
)
REFERENCE = unsupported("reference_date", "times are read as of now; see as_of in docs/queries.md")
TIMESTAMP = unsupported("timestamp", "an update is recorded at its time; add a memory instead")
LINKED = idle("delete_linked", "earlier versions of a memory go with it.")
BATCH_UPDATES = Field(
    name="memories",
    description="What to change: the ids with a new text, metadata to merge, or both.",
    schema=_batch(text={"type": ["string", "null"]}, metadata={"type": ["object", "null"]}),
    read=_items({"memory_id": _a_text, "text": _a_text, "metadata": _an_object}),
    required=True,
)
BATCH_IDS = Field(
    name="memories",
    description="The ids of the memories to remove.",
    schema=_batch(),
    read=_items({"memory_id": _a_text}),
    required=True,
)
FEEDBACK_WORDS = {"POSITIVE": "positive", "NEGATIVE": "negative", "VERY_NEGATIVE": "negative"}


def _feedback(name: str, value: Any) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or value not in FEEDBACK_WORDS:
        raise InvalidInputError(name, f"expected one of {', '.join(FEEDBACK_WORDS)}")
    return FEEDBACK_WORDS[value]


FEEDBACK = Field(
    name="feedback",
    description="VERY_NEGATIVE counts as NEGATIVE; null counts nothing.",
    schema={"enum": [*FEEDBACK_WORDS, None]},
    read=_feedback,
)


def _reason(name: str, value: Any) -> Any:
    try:
        return fields.REASON.read(name, value)
    except InvalidInputError as error:
        raise InvalidInputError(name, error.expected) from None


FEEDBACK_REASON = Field(
    name="feedback_reason",
    description=fields.REASON.description,
    schema=fields.REASON.schema,
    read=_reason,
)
MEMORY_ID = Field(
    name="memory_id",
    description="The id of a memory.",
    schema={"title": "the id of a memory", "type": "string", "minLength": 1},
    read=fields.PROMPT.read,
    required=True,
)
SCHEMA = Field(
    name="schema",
    description="Kept for nothing: an export holds the memories as they are.",
    schema={"title": "an object or a text", "type": ["object", "string"]},
    read=_object_or_text,
    required=True,
    idle=True,
)


def _one_of(*words: str) -> Callable[[str, Any], Any]:
    def read(name: str, value: Any) -> Any:
        if value not in words:
            raise InvalidInputError(name, f"expected one of {', '.join(words)}")
        return value

    return read


def _word(name: str, description: str, *words: str, required: bool = False) -> Field:
    schema: Schema = {"title": f"one of {', '.join(words)}", "enum": [*words]}
    return Field(
        name=name, description=description, schema=schema,
        read=_one_of(*words), required=required,
    )  # fmt: skip


OPERATION = _word("operation", "One user, or some.", "trigger", "sample", required=True)
ENTITY_TYPE = replace(_word("entity_type", "Only users have profiles.", "user"), idle=True)
ENABLED = Field(
    name="enabled",
    description="Profiles cannot be off.",
    schema={"type": ["boolean", "null"]},
    read=lambda name, value: value if value is None else fields.INFER.read(name, value),
)
ENTITIES = Field(
    name="entities",
    description="Settings by the kind of entity; each must be null.",
    schema={"type": ["object", "null"]},
    read=_an_object,
)
