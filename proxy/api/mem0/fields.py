"""The fields that mem0's clients send, by name: what each is, or what does instead. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, cast

from pydantic import AfterValidator, ConfigDict, Field, SkipValidation, WithJsonSchema, create_model

from recollect.memory import InvalidInputError
from recollect.memory.api.table import table
from recollect.memory.model.messages import MAX_MESSAGES
from recollect.memory.operations.declaring import Declared
from recollect.memory.operations.fields import (
    ACCEPTED,
    Idle,
    Moment,
    Object,
    RequestModel,
    Text,
    Unsupported,
    about,
    judged,
    needed,
    storable,
    whole,
)
from recollect.memory.query import parse

from ..query_fields import REPEATED
from .filters import object_in

MAX_BATCH = 1000
MAX_PAGE = 10_000
MAX_PAGE_SIZE = 1000
_IDLE = {
    "org_id project_id": "the credential says whose memories these are.",
    "version api_version": "the path has the version.",
    "async_mode": "additions are done when the answer comes.",
    "enable_graph": "graph.enabled does, for the whole server.",
    "output_format": "answers have `results`.",
    "show_expired": "memories do not expire.",
    "latest_only": "earlier versions are never among the results.",
    "rerank": "every search ranks by meaning, words, names and time together.",
    "keyword_search": "every search looks for words too.",
    "filter_memories": "`threshold` leaves out what does not answer.",
    "explain": "see GET /v1/memories/explain.",
    "export_instructions": "an export holds the memories as they are.",
    "delete_linked": "earlier versions of a memory go with it.",
}
"""What chooses nothing, and what does instead."""
_UNSUPPORTED = {
    "app_id": "there is no app level; use agent_id, run_id or a key of the metadata",
    "expiration_date": "memories do not expire; delete them, or by a query",
    "custom_instructions": "set learn.templates, or give `prompt`, which replaces it",
    "agent_custom_instructions": "set learn.templates, or give `prompt`",
    "custom_categories": "memories have no categories; use metadata",
    "structured_data_schema": "use metadata",
    "categories": "memories have no categories; use a key of the metadata",
    "reference_date": "times are read as of now; see as_of in docs/queries.md",
    "keywords": 'use filters: {"memory": {"icontains": "..."}}',
    "memory_type": "a model says the type; POST /v1/memories/procedures learns how a run was done",
}
"""What would do something else if it was ignored."""
_MEANT = (
    "mem0's filters. An id at the top or in AND says whose memories are meant; all else is a "
    'condition within them, such as {"AND": [{"user_id": "ada"}, {"tag": "work"}]}.'
)
_PRINTED = "As JSON, or as Python prints a dictionary."
_CONDITIONS = "Conditions on keys of the metadata"
_DAY = "ISO 8601 or seconds since the epoch: created at or {} then."
PROJECT = "org_id project_id"
VERSION = "version api_version async_mode enable_graph"
NOT_STORED = (
    "expiration_date app_id immutable custom_instructions agent_custom_instructions "
    "custom_categories structured_data_schema"
)
"""Of an addition: ignored, something else would be stored than was asked for."""


class PartsMessage(RequestModel):
    """One message, whose content may be a single part, too."""

    model_config = ConfigDict(extra="allow")

    role: str = Field(min_length=1)
    content: str | dict[str, Any] | list[Any] | None = about(
        "Text, one content part, or several, as in the Chat API."
    )


class BatchTarget(RequestModel):
    """A memory of a batch."""

    memory_id: str


class BatchChange(BatchTarget):
    """What to change of a memory."""

    text: str | None = None
    metadata: dict[str, Any] | None = None


def _conditions(name: str, value: Any) -> Any:
    """Checked here too, so that a refusal names this field and not the filters."""
    if isinstance(value, dict) and value:
        try:
            parse({f"metadata.{key}": wanted for key, wanted in value.items()})
        except InvalidInputError as error:
            raise InvalidInputError(name, error.expected) from None
    return value


def _unset(name: str, settings: Any) -> Any:
    """Settings by the kind of entity, of which none has a value."""
    for part in settings.values() if isinstance(settings, dict) else ():
        if not isinstance(part, dict):
            raise InvalidInputError(name, "expected objects by the kind of entity")
        if said := [key for key, value in part.items() if value is not None]:
            raise InvalidInputError(
                name, f"{said[0][:60]!r} is not supported: profiles have no settings"
            )
    return settings


def _object_or_text(name: str, value: Any) -> Any:
    if not isinstance(value, (dict, str)):
        raise InvalidInputError(name, "expected an object or a text")
    return storable(value)


_BY_ID = {each.declared.id: each for each in table()}


def operation(name: str) -> Declared:
    """The operation of ours with this id."""
    return _BY_ID[name]


def unsupported(instead: str, harmless: tuple[Any, ...] = ()) -> Any:
    """A field that must be empty or one of these."""
    return Annotated[Any, Unsupported(instead, harmless)], None


def most(high: int, default: int | None, said: str = "Most results.") -> Any:
    """How many there are at most."""
    return int if default else int | None, whole(said, high=high, default=default)


def _text(description: str) -> Any:
    return Text | None, about(description)


def _read(read: Any, description: str) -> Any:
    """What a query string has as a text."""
    return Annotated[Any, judged(read), WithJsonSchema({"type": "string"})], about(description)


def _batch(item: type[RequestModel], description: str) -> Any:
    bounds: dict[str, Any] = {"min_length": 1, "max_length": MAX_BATCH}
    told = needed(description, title="a list of objects with a memory_id", **bounds)
    return Annotated[cast("Any", list)[item], AfterValidator(storable)], told


_UNREAD = cast("Any", SkipValidation)()
_MESSAGES = Annotated[list[PartsMessage], Field(max_length=MAX_MESSAGES)]
_FEEDBACK = Literal["POSITIVE", "NEGATIVE", "VERY_NEGATIVE"]
_SCHEMA = judged(_object_or_text), WithJsonSchema({"type": ["object", "string"]}), ACCEPTED
_SETTINGS = Annotated[Object | None, judged(_unset)]
_SAID: dict[str, tuple[Any, Any]] = {
    "immutable": unsupported("every memory can be changed", (False,)),
    "messages": (Annotated[str | PartsMessage | _MESSAGES, _UNREAD], needed(
        "A text of the user, one message, or a conversation.",
        title="a string or a list of messages")),
    "filters": (Object | None, about(_MEANT)),
    "query": _text("What is looked for."),
    "top_k": most(1000, 10),
    "limit": most(1000, None, "Another name of top_k, which it replaces."),
    "fields": (Annotated[list[str], AfterValidator(storable)] | None,
               about("Only these keys of each memory, and its id.")),
    "page": most(MAX_PAGE, 1, "Which page, from 1."),
    "page_size": most(MAX_PAGE_SIZE, 100, "Memories of a page."),
    "start_date": (Moment, about(_DAY.format("after"))),
    "end_date": (Moment, about(_DAY.format("before"))),
    "memory_id": (Text, needed("The id of a memory.", title="the id of a memory")),
    "feedback": (_FEEDBACK | None,
                 about("VERY_NEGATIVE counts as three NEGATIVE; null counts nothing.")),
    "feedback_reason": operation("feedback").fields["reason"],
    "schema_": (Annotated[(Any, *_SCHEMA)], needed(
        "Kept for nothing: an export holds the memories as they are.",
        title="an object or a text", alias="schema")),
    "memory_export_id": _text("An export of before."),
    "operation": (Literal["trigger", "sample"],
                  needed("One user, or some.", title="one of trigger, sample")),
    "entity_type": (Annotated[Literal["user"], ACCEPTED], about("Only users have profiles.")),
    "entity_id": _text("The user, of the operation `trigger`."),
    "enabled": (bool | None, about("Profiles cannot be off.")),
    "entities": (_SETTINGS, about("Settings by the kind of entity; each must be null.")),
    "type": _text("The memories of these types, separated by commas."),
}  # fmt: skip
_IGNORED = {name: Idle(why) for names, why in _IDLE.items() for name in names.split()}
_NAMED: Mapping[str, tuple[Any, Any]] = {
    **{name: (Annotated[Any, idle], None) for name, idle in _IGNORED.items()},
    **{name: unsupported(why) for name, why in _UNSUPPORTED.items()},
    **_SAID,
}
CONDITIONS = Annotated[Object, judged(_conditions)] | None, about(f"{_CONDITIONS}, as in filters.")
FILTERS_AS_TEXT = _read(object_in, f"{_MEANT} {_PRINTED}")
CONDITIONS_AS_TEXT = _read(
    lambda name, said: _conditions(name, object_in(name, said)), f"{_CONDITIONS}. {_PRINTED}"
)
CLEARED = (
    Annotated[unsupported(_UNSUPPORTED["expiration_date"])[0], AfterValidator(lambda _: True)],
    about("`null` is accepted, and is so anyway: memories do not expire."),
)
"""Of an update: true if the request clears the time of its end."""
SAME_PROJECT = _text("Must be the tenant, if it is given: a project is one.")
PAGE = _SAID["page"]
EVERY_PAGE = most(MAX_PAGE_SIZE, None, "Entities of a page; all of them if it is not given.")
SETTINGS = (
    Annotated[list[str], REPEATED],
    about("Names of settings to answer too; those without a value are null."),
)
SHAPED = _text("Any value: the answer of an addition has the shape that mem0's clients read.")
REMOVED = _batch(BatchTarget, "The ids of the memories to remove.")
CHANGED = _batch(
    BatchChange, "What to change: the ids with a new text, metadata to merge, or both."
)


def ours(name: str, names: str) -> dict[str, tuple[Any, Any]]:
    """Fields as our operation with this id has them."""
    return {each: operation(name).fields[each] for each in names.split()}


def form(
    names: str = "", *bases: type[RequestModel], **meant: tuple[Any, Any]
) -> type[RequestModel]:
    """The model of a request with the fields of these names; `meant` mean something else here."""
    fields: dict[str, Any] = {name: _NAMED[name] for name in names.split()} | meant
    doc = next((each.__doc__ for each in bases), None)
    made = create_model("Form", __base__=bases or RequestModel, __doc__=doc, **fields)
    return cast("type[RequestModel]", made)
