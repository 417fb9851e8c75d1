"""The models of the bodies and queries of mem0's clients."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, ConfigDict, Field, SkipValidation, WithJsonSchema, create_model

from recollect.memory import InvalidInputError
from recollect.memory.model.inputs import DEFAULT_LIMIT, MAX_LIMIT
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
from recollect.memory.operations.scope import ScopeFields

from ..models import AddFields, ChangeFields, Share
from ..query_fields import REPEATED
from .fields import (
    MEM0_FILTERS,
    Absent,
    ClearingFields,
    Expiration,
    NeverExpire,
    NoCategories,
    NotStoredFields,
    OutputFormat,
    ProjectFields,
    SameProjectFields,
    VersionFields,
    conditions,
)

MAX_BATCH = 1000
MAX_PAGE = 10_000
MAX_PAGE_SIZE = 1000
_NEVER = Idle("such a request is always refused.")
_DAY = "ISO 8601 or seconds since the epoch: created {} then."
Refused = Annotated[Any, _NEVER]
"""Of what is always refused."""
Names = Annotated[list[str], AfterValidator(storable)]
_SCHEMA = WithJsonSchema({"type": ["object", "string"]})
_BATCH: dict[str, Any] = {
    "title": "a list of objects with a memory_id", "min_length": 1, "max_length": MAX_BATCH
}  # fmt: skip
_TYPES = "The memories of these types, separated by commas."


def _object_or_text(name: str, value: Any) -> Any:
    if not isinstance(value, (dict, str)):
        raise InvalidInputError(name, "expected an object or a text")
    return storable(value)


class PartsMessage(RequestModel):
    """One message, whose content may be a single part, too."""

    model_config = ConfigDict(extra="allow")

    role: str = Field(min_length=1)
    content: str | dict[str, Any] | list[Any] | None = about(
        "Text, one content part, or several, as in the Chat API."
    )


class MessagesFields(AddFields):
    """Of an addition."""

    messages: SkipValidation[
        str | PartsMessage | Annotated[list[PartsMessage], Field(max_length=MAX_MESSAGES)]
    ] = needed(
        "A text of the user, one message, or a conversation.",
        title="a string or a list of messages",
    )


class MeantFields(ScopeFields):
    """Whose memories are meant, by ids or within filters."""

    app_id: Absent = None
    filters: Object | None = about(MEM0_FILTERS)


class AddV3Body(MessagesFields, NotStoredFields, VersionFields, ProjectFields):
    """Of a conversation."""

    filters: Object | None = about(MEM0_FILTERS)
    timestamp: Moment = about("Time of the messages. Default: now.")
    output_format: OutputFormat = None


_BY_MODEL = "a model says the type; POST /v1/memories/procedures learns how a run was done"


class ServerAddBody(MessagesFields):
    """Of a conversation, for mem0's own server."""

    app_id: Absent = None
    expiration_date: Expiration = None
    memory_type: Annotated[Any, Unsupported(_BY_MODEL)] = None


class FoundFields(MeantFields):
    """Of a search."""

    query: Text | None = about("What is looked for.")
    top_k: int = whole("Most results.", high=1000, default=10)
    limit: int | None = whole("Another name of top_k, which it replaces.", high=1000, default=None)
    threshold: SkipValidation[Share] = about("Least score of a hit, from 0 to 1.")
    fields: Names | None = about("Only these keys of each memory, and its id.")
    show_expired: NeverExpire = None


class ServerSearchBody(FoundFields):
    """Of a search of mem0's own server."""

    top_k: int = whole("Most results.", high=1000, default=20)
    explain: Annotated[Any, Idle("see GET /v1/memories/explain.")] = None


class ResultFields(VersionFields, ProjectFields):
    """Of searches and lists."""

    metadata: Annotated[Object, judged(conditions)] | None = about(
        "Conditions on keys of the metadata, as in filters."
    )
    categories: NoCategories = None
    latest_only: Annotated[Any, Idle("earlier versions are never among the results.")] = None
    output_format: OutputFormat = None


class Mem0SearchBody(FoundFields, ResultFields):
    """Of a search."""

    rerank: Annotated[
        Any, Idle("every search ranks by meaning, words, names and time together.")
    ] = None
    keyword_search: Annotated[Any, Idle("every search looks for words too.")] = None
    filter_memories: Annotated[Any, Idle("`threshold` leaves out what does not answer.")] = None
    reference_date: Annotated[
        Any, Unsupported("times are read as of now; see as_of in docs/queries.md")
    ] = None


class PageQuery(RequestModel):
    """Which page."""

    page: int = whole("Which page, from 1.", high=MAX_PAGE, default=1)
    page_size: int = whole("Memories of a page.", high=MAX_PAGE_SIZE, default=100)


class Mem0ListBody(MeantFields, PageQuery, ResultFields):
    """Of a page of memories."""

    start_date: Moment = about(_DAY.format("at or after"))
    end_date: Moment = about(_DAY.format("at or before"))
    fields: Names | None = about("Only these keys of each memory, and its id.")
    show_expired: NeverExpire = None
    limit: Annotated[Any, Unsupported("use page and page_size")] = None
    keywords: Annotated[Any, Unsupported('use filters: {"memory": {"icontains": "..."}}')] = None


class BatchTarget(RequestModel):
    """A memory of a batch."""

    memory_id: str


class BatchChange(BatchTarget):
    """What to change of a memory."""

    text: str | None = None
    metadata: dict[str, Any] | None = None


class BatchDeleteBody(ProjectFields):
    """Of some memories."""

    memories: Annotated[list[BatchTarget], AfterValidator(storable)] = needed(
        "The ids of the memories to remove.", **_BATCH
    )


class BatchUpdateBody(ProjectFields):
    """Of some memories."""

    memories: Annotated[list[BatchChange], AfterValidator(storable)] = needed(
        "What to change: the ids with a new text, metadata to merge, or both.", **_BATCH
    )


class Mem0FeedbackBody(ProjectFields):
    """About a memory."""

    memory_id: Text = needed("The id of a memory.", title="the id of a memory")
    feedback: Literal["POSITIVE", "NEGATIVE", "VERY_NEGATIVE"] | None = about(
        "VERY_NEGATIVE counts as three NEGATIVE; null counts nothing."
    )
    feedback_reason: Reason = about("Why, for the history of the memory.")


class EntitiesQuery(ProjectFields):
    """Of users, agents and runs."""

    page: int = whole("Which page, from 1.", high=MAX_PAGE, default=1)
    page_size: int = whole(
        "Entities of a page; all of them if it is not given.", high=MAX_PAGE_SIZE, default=None
    )


class SummaryBody(MeantFields, ProjectFields):
    """Of what is known of somebody."""


class ExportBody(SummaryBody):
    """Of memories."""

    schema_: Annotated[Any, judged(_object_or_text), _SCHEMA, ACCEPTED] = needed(
        "Kept for nothing: an export holds the memories as they are.",
        title="an object or a text",
        alias="schema",
    )
    export_instructions: Annotated[Any, Idle("an export holds the memories as they are.")] = None


class ExportedBody(SummaryBody):
    """Of an export of before, or of memories."""

    memory_export_id: Text | None = about("An export of before.")


class ProfileBody(RequestModel):
    """Of the profiles of users."""

    operation: Literal["trigger", "sample"] = needed(
        "One user, or some.", title="one of trigger, sample"
    )
    entity_type: Annotated[Literal["user"], ACCEPTED] = about("Only users have profiles.")
    entity_id: Text | None = about("The user, of the operation `trigger`.")
    limit: int = whole("Most users of the operation `sample`.", high=1000, default=10)


class ProfileSettingsBody(RequestModel):
    """Of what can be set about profiles."""

    enabled: bool | None = about("Profiles cannot be off.")
    entities: Object | None = about("Settings by the kind of entity; each must be null.")


class SingleQuery(ScopeFields, ProjectFields):
    """Of the memories of a user."""

    limit: int = whole("Most results.", high=MAX_LIMIT, default=DEFAULT_LIMIT)
    type: Text | None = about(_TYPES)


class SingleDeleteQuery(ScopeFields, SameProjectFields):
    """Of the memories of a user."""

    type: Text | None = about(_TYPES)


class ServerListQuery(ScopeFields):
    """Of the newest memories of a scope."""

    top_k: int = whole("Most results.", high=MAX_LIMIT, default=20)
    show_expired: NeverExpire = None


class ServerUpdateBody(ChangeFields, ClearingFields):
    """Of a memory."""


class ProjectQuery(ProjectFields):
    """Of the tenant."""

    fields: Annotated[list[str], REPEATED] = about(
        "Names of settings to answer too; those without a value are null.", None
    )


def _refused(
    name: str, *fields: str, base: type[RequestModel] = RequestModel
) -> type[RequestModel]:
    """The model of a request that is refused whatever it says."""
    parts: dict[str, Any] = dict.fromkeys(fields, (Refused, None))
    made: type[RequestModel] = create_model(name, __base__=base, **parts)
    return made


ConfigurationBody = _refused(
    "ConfigurationBody", "llm", "embedder", "vector_store", "graph_store", "version",
    "history_db_path", "custom_instructions", "reranker",
)  # fmt: skip
ProjectBody = _refused(
    "ProjectBody", "custom_instructions", "agent_custom_instructions", "custom_categories",
    "retrieval_criteria", "enable_graph", "multilingual", "decay", "version", "inclusion_prompt",
    "exclusion_prompt", "memory_depth", "usecase_setting", base=ProjectFields,
)  # fmt: skip
NewProjectBody = _refused("NewProjectBody", "name", "description", base=ProjectFields)
MemberQuery = _refused("MemberQuery", "email")
MemberBody = _refused("MemberBody", "email", "role")
WebhookBody = _refused("WebhookBody", "url", "name", "event_types")
