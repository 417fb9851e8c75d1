"""The fields that mem0's clients send, by name: what each is, or what does instead. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, cast

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    SkipValidation,
    WithJsonSchema,
    create_model,
)

from recollect.memory import InvalidInputError
from recollect.memory.model.inputs import (
    DEFAULT_LIMIT,
    MAX_LIMIT,
    MAX_METADATA_BYTES,
    MAX_METADATA_LEVELS,
    MAX_TEXT_CHARS,
)
from recollect.memory.model.messages import MAX_MESSAGES
from recollect.memory.operations.common import Reason
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
    "custom_instructions": "set learn.prompt, or give `prompt`, which replaces it",
    "agent_custom_instructions": "set learn.prompt, or give `prompt`",
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


def _object_or_text(name: str, value: Any) -> Any:
    if not isinstance(value, (dict, str)):
        raise InvalidInputError(name, "expected an object or a text")
    return storable(value)


def unsupported(instead: str, harmless: tuple[Any, ...] = ()) -> Any:
    """A field that must be empty or one of these."""
    return Annotated[Any, Unsupported(instead, harmless)], None


def _as_text(read: Any) -> Any:
    return Annotated[Any, judged(read), WithJsonSchema({"type": "string"})]


def _batch(item: type[RequestModel], description: str) -> Any:
    title = "a list of objects with a memory_id"
    return Annotated[list[item], AfterValidator(storable)], needed(  # type: ignore[valid-type]
        description, title=title, min_length=1, max_length=MAX_BATCH
    )


def most(high: int = MAX_LIMIT, default: int | None = DEFAULT_LIMIT, more: str = "") -> Any:
    """How many results there are at most."""
    return int if default else int | None, whole(
        more or "Most results.", high=high, default=default
    )


_UNREAD = cast("Any", SkipValidation)()
_MESSAGES = Annotated[list[PartsMessage], Field(max_length=MAX_MESSAGES)]
_SHARE = Annotated[float, Field(ge=0, le=1)]
_NAMES = Annotated[list[str], AfterValidator(storable)]
_OBJECT = SkipValidation[dict[str, Any] | None]
_NEW_TEXT = Annotated[str, Field(min_length=1, max_length=MAX_TEXT_CHARS)]
_SAID: dict[str, tuple[Any, Any]] = {
    "immutable": unsupported("every memory can be changed", (False,)),
    "messages": (
        Annotated[str | PartsMessage | _MESSAGES, _UNREAD],
        needed(
            "A text of the user, one message, or a conversation.",
            title="a string or a list of messages",
        ),
    ),
    "metadata": (
        _OBJECT,
        about(
            f"Stored with each memory. At most {MAX_METADATA_BYTES} bytes as JSON and "
            f"{MAX_METADATA_LEVELS} levels."
        ),
    ),
    "infer": (
        bool,
        about(
            "Whether a model extracts facts; if not, each message is stored unchanged.",
            default=True,
        ),
    ),
    "prompt": (
        Text | None,
        about("Instructions for the model; they replace the built-in ones."),
    ),
    "includes": (Text | None, about("Of what the model keeps facts only.")),
    "excludes": (Text | None, about("Of what the model keeps no facts.")),
    "timestamp": (Moment, about("Time of the messages. Default: now.")),
    "filters": (Object | None, about(_MEANT)),
    "query": (Text | None, about("What is looked for.")),
    "top_k": most(1000, 10),
    "limit": most(1000, None, "Another name of top_k, which it replaces."),
    "threshold": (SkipValidation[_SHARE], about("Least score of a hit, from 0 to 1.")),
    "fields": (_NAMES | None, about("Only these keys of each memory, and its id.")),
    "page": (int, whole("Which page, from 1.", high=MAX_PAGE, default=1)),
    "page_size": (int, whole("Memories of a page.", high=MAX_PAGE_SIZE, default=100)),
    "start_date": (Moment, about(_DAY.format("after"))),
    "end_date": (Moment, about(_DAY.format("before"))),
    "memory_id": (Text, needed("The id of a memory.", title="the id of a memory")),
    "feedback": (
        Literal["POSITIVE", "NEGATIVE", "VERY_NEGATIVE"] | None,
        about("VERY_NEGATIVE counts as three NEGATIVE; null counts nothing."),
    ),
    "feedback_reason": (Reason, about("Why, for the history of the memory.")),
    "schema_": (
        Annotated[
            Any, judged(_object_or_text), WithJsonSchema({"type": ["object", "string"]}), ACCEPTED
        ],
        needed(
            "Kept for nothing: an export holds the memories as they are.",
            title="an object or a text",
            alias="schema",
        ),
    ),
    "memory_export_id": (Text | None, about("An export of before.")),
    "operation": (
        Literal["trigger", "sample"],
        needed("One user, or some.", title="one of trigger, sample"),
    ),
    "entity_type": (
        Annotated[Literal["user"], ACCEPTED],
        about("Only users have profiles."),
    ),
    "entity_id": (Text | None, about("The user, of the operation `trigger`.")),
    "enabled": (bool | None, about("Profiles cannot be off.")),
    "entities": (
        Object | None,
        about("Settings by the kind of entity; each must be null."),
    ),
    "type": (Text | None, about("The memories of these types, separated by commas.")),
    "text": (
        Annotated[_NEW_TEXT | None, _UNREAD],
        about(
            "The new text of the memory; without it the text stays, if something else changes.",
            title="some text",
        ),
    ),
}
_NAMED: Mapping[str, tuple[Any, Any]] = {
    **{
        each: (Annotated[Any, Idle(why)], None)
        for names, why in _IDLE.items()
        for each in names.split()
    },
    **{name: (Annotated[Any, Unsupported(why)], None) for name, why in _UNSUPPORTED.items()},
    **_SAID,
}
CONDITIONS = (
    Annotated[Object, judged(_conditions)] | None,
    about(f"{_CONDITIONS}, as in filters."),
)
FILTERS_AS_TEXT = (_as_text(object_in), about(f"{_MEANT} {_PRINTED}"))
CONDITIONS_AS_TEXT = (
    _as_text(lambda name, said: _conditions(name, object_in(name, said))),
    about(f"{_CONDITIONS}. {_PRINTED}"),
)
MERGED = (_OBJECT, about("Merged key by key; a key whose value is `null` is removed."))
CLEARED = (
    Annotated[Any, Unsupported(_UNSUPPORTED["expiration_date"]), AfterValidator(lambda _: True)],
    about("`null` is accepted, and is so anyway: memories do not expire."),
)
"""Of an update: true if the request clears the time of its end."""
SAME_PROJECT = (
    Text | None,
    about("Must be the tenant, if it is given: a project is one."),
)
EVERY_PAGE = (
    int | None,
    whole("Entities of a page; all of them if it is not given.", high=MAX_PAGE_SIZE, default=None),
)
SETTINGS = (
    Annotated[list[str], REPEATED],
    about("Names of settings to answer too; those without a value are null."),
)
SHAPED = (
    Text | None,
    about("Any value: the answer of an addition has the shape that mem0's clients read."),
)
PAGE = _SAID["page"]
REMOVED = _batch(BatchTarget, "The ids of the memories to remove.")
CHANGED = _batch(
    BatchChange, "What to change: the ids with a new text, metadata to merge, or both."
)


def form(
    names: str = "", *bases: type[RequestModel], **meant: tuple[Any, Any]
) -> type[RequestModel]:
    """The model of a request with the fields of these names; `meant` mean something else here."""
    fields: dict[str, Any] = {name: _NAMED[name] for name in names.split()} | meant
    doc = next((each.__doc__ for each in bases), None)
    made = create_model("Form", __base__=bases or RequestModel, __doc__=doc, **fields)
    return cast("type[RequestModel]", made)
