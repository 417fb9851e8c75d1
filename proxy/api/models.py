"""The models of the bodies and queries of our routes.

A field that is in several of them is in a base class of theirs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, cast

from pydantic import ConfigDict, Field, SkipValidation

from recollect.memory.api.economics import DEFAULT_DAYS, MOST_DAYS
from recollect.memory.api.wordings import MOST_MADE
from recollect.memory.model.inputs import (
    DEFAULT_ANSWERED,
    DEFAULT_LIMIT,
    DEFAULT_PROPOSAL,
    MAX_LIMIT,
    MAX_METADATA_BYTES,
    MAX_METADATA_LEVELS,
    MAX_TEXT_CHARS,
    MAX_WORDINGS,
    check_importance,
    checked_type,
)
from recollect.memory.model.messages import MAX_MESSAGES
from recollect.memory.model.row_kinds import MemoryKind
from recollect.memory.model.types import MemoryStatus, MemoryType
from recollect.memory.model.zones import zone_named
from recollect.memory.operations.common import MAX_IDS
from recollect.memory.operations.fields import (
    Moment,
    RequestModel,
    Text,
    about,
    judged,
    needed,
    whole,
)
from recollect.memory.operations.scope import ScopeFields
from recollect.memory.query import QueryArguments

MAX_JOBS = 1000
DEFAULT_JOBS = 50
FLUSH_SECONDS = 60
MAX_FLUSH_SECONDS = 3600
MAX_PROPOSAL = 200

Filters = SkipValidation[dict[str, Any] | None]
Share = Annotated[float, Field(ge=0, le=1)]
Wordings = SkipValidation[
    Annotated[list[Annotated[str, Field(min_length=1)]], Field(max_length=MAX_WORDINGS)]
]
MadeWordings = Annotated[int, Field(ge=0, le=MOST_MADE)]
Importance = Annotated[Share | None, judged(lambda _, said: _checked(check_importance, said))]
_FILTERS = 'Conditions on fields and metadata, such as {"tag": "work", "priority": {"gte": 2}}.'


def _checked(check: Callable[[object], None], said: Any) -> Any:
    check(said)
    return said


def memory_ids(description: str) -> Any:
    """Ids of memories."""
    return about(description, (), max_length=MAX_IDS)


class MessageFields(RequestModel):
    """One message, as the Chat API has them."""

    model_config = ConfigDict(extra="allow")

    role: str = Field(min_length=1)
    content: str | list[Any] | None = about("Text, or content parts as in the Chat API.")


class WhichFields(RequestModel):
    """Which memories of a scope are meant."""

    status: SkipValidation[MemoryStatus] = about("Memories of this status. Default: active.")
    statuses: SkipValidation[list[MemoryStatus]] = about("Memories of any of these statuses.")
    kinds: SkipValidation[list[MemoryKind]] = about(
        "Memories, or what users said and is no memory yet. Default: both."
    )
    types: SkipValidation[list[MemoryType]] = about("Memories of any of these types.")
    filters: Filters = about(_FILTERS)
    session: Text | None = about("The conversation that they were learned from.")
    created_from: Text | None = about("Created then or later: ISO 8601.")
    created_to: Text | None = about("Created before then: ISO 8601.")
    valid_from: Text | None = about("Still true then: ISO 8601.")
    valid_to: Text | None = about("True already before then: ISO 8601.")
    as_of: Text | None = about("What was true then: ISO 8601.")
    known_at: Text | None = about("What was known then: ISO 8601.")


_WHICH = tuple(WhichFields.model_fields)


def which_of(asked: Any) -> QueryArguments:
    """The arguments of the library's methods."""
    given = {name: asked[name] for name in _WHICH if asked[name] is not None}
    return cast("QueryArguments", given)


class AddFields(ScopeFields):
    """What is said of an addition, by our clients and by mem0's."""

    metadata: Filters = about(
        f"Stored with each memory. At most {MAX_METADATA_BYTES} bytes as JSON and "
        f"{MAX_METADATA_LEVELS} levels."
    )
    infer: bool = about(
        "Whether a model extracts facts; if not, each message is stored unchanged.", default=True
    )
    prompt: Text | None = about("Instructions for the model; they replace the built-in ones.")
    includes: Text | None = about("Of what the model keeps facts only.")
    excludes: Text | None = about("Of what the model keeps no facts.")


def _zone(name: str, said: Any) -> str | None:
    return None if said is None else zone_named(name, said).key


Zone = Annotated[str | None, judged(_zone)]
"""A name such as Europe/Oslo; by default that of the header or of the configuration."""


class AdditionFields(AddFields):
    """Of a conversation, in our words."""

    filters: Filters = about("Ids, as in the filters of a search; nothing else.")
    messages: SkipValidation[
        str | MessageFields | Annotated[list[MessageFields], Field(max_length=MAX_MESSAGES)]
    ] = needed(
        "A text of the user, one message, or a conversation. With `infer` false, a message "
        f"of more than {MAX_TEXT_CHARS} characters is stored as several memories.",
        title="a string or a list of messages",
    )
    dedupe: bool = about(
        "With `infer` false: whether a message is skipped if the scope has a memory with its text "
        "(apart from white space) and metadata.",
        default=True,
    )
    timestamp: Moment = about(
        "Time of the messages: ISO 8601 or seconds since the epoch. Default: now."
    )
    type: Annotated[MemoryType | None, judged(lambda _, said: checked_type(said))] = about(
        "The type of each new memory; by default the model says."
    )
    importance: Importance = about("From 0 to 1.")


class AddBody(AdditionFields):
    """The same, and whose days the messages name."""

    timezone: Zone = about("The user's time zone, from whose days the messages count.")


class PageFields(RequestModel):
    """How many results, and which."""

    limit: int = whole("Most results.", high=MAX_LIMIT, default=DEFAULT_LIMIT)
    cursor: Text | None = about("The `next` of the page before.")


class ListFields(WhichFields, PageFields, ScopeFields):
    """Of memories, newest first."""


class SearchFields(ListFields):
    """For memories that match a query."""

    query: Text | None = about("The search query; in a query string, `q` wins over it.")
    timezone: Zone = about("The user's time zone, in which the query names days.")
    threshold: SkipValidation[Share] = about(
        "Least score of a hit, from 0 to 1; null: `recall.threshold`; 0 lists all."
    )
    multi_query: Wordings | SkipValidation[MadeWordings] = about(
        "Other wordings of the query, or how many of them the model makes."
    )
    hyde: Wordings | SkipValidation[bool] = about(
        "Possible answers to the query, which are searched for by meaning, or true for one that "
        "the model makes."
    )
    fusion: Filters = about(
        "How this search weighs its signals: `weights` by signal, from 0 to 10, and `recency`, "
        "`importance`, `hearsay`, `neighbours` from 0 to 1."
    )
    expand_hops: int | None = about(
        "1, the default: the best hits lead to memories that share a rare name with them; 0: they "
        "do not.",
        None,
        ge=0,
        le=1,
    )


class SearchQuery(SearchFields):
    """The same in a query string."""

    q: Text | None = about("The search query.")


class QuestionBody(WhichFields, ScopeFields):
    """Of a question."""

    question: Text = needed("What is asked.", title="text")
    limit: int = whole("Most memories to answer from.", high=MAX_LIMIT, default=DEFAULT_ANSWERED)
    threshold: SkipValidation[Share] | None = about(
        "Least score of a memory to answer from, from 0 to 1; null: `recall.threshold`.", 0.2
    )
    grounded: bool = about("Whether there is an answer only if memories support it.", default=True)
    hearsay: bool = about(
        "Whether it may also stand on what the assistant said in earlier conversations.",
        default=False,
    )
    conversation: SkipValidation[Annotated[list[MessageFields], Field(max_length=MAX_MESSAGES)]] = (
        about("What was said before, in which the question is understood.", ())
    )
    stream: bool = about(
        "Answer in server-sent events: `text` while the model writes, then one `answer`, which "
        "holds, or one `error`.",
        default=False,
    )


class CountQuery(WhichFields, ScopeFields):
    """Of memories that are counted."""


class DeleteByQueryBody(WhichFields, ScopeFields):
    """Of memories that a query describes."""

    dry_run: bool = about("Delete nothing: answer what would be deleted.", default=False)
    erase: bool = about(
        "Erase everywhere, as by a forget; the answer has a receipt.", default=False
    )


class FlushQuery(RequestModel):
    """How a flush waits."""

    seconds: int = whole(
        "Longest time that the request waits; jobs go on afterwards.",
        high=MAX_FLUSH_SECONDS,
        default=FLUSH_SECONDS,
    )
    stream: bool = about(
        "Report progress, one JSON object per line. With `Accept: text/event-stream` the reports "
        "are server-sent events.",
        default=False,
    )


class FlushBody(FlushQuery, ScopeFields):
    """Of the turns of a scope."""


class EraseFields(RequestModel):
    """What is erased at once."""

    ids: list[str] = memory_ids("Ids of memories to erase. An unknown id is counted as missing.")
    all: bool = about("Erase everything of the scope.", default=False)


class ForgetBody(EraseFields, ScopeFields):
    """One of `ids`, `query`, `confirm` (with a proposal's token), or `all`."""

    query: Text | None = about("The subject of the memories to propose.")
    limit: int = whole("Most proposals.", high=MAX_PROPOSAL, default=DEFAULT_PROPOSAL)
    confirm: Text | None = about("The token of a proposal; its memories are erased now.")
    keep: list[str] = memory_ids("Ids of the proposal to keep.")
    near: bool = about("Propose what is only like the query, too.", default=False)
    filters: Filters = about(_FILTERS)


class StatsQuery(RequestModel):
    """Of the sums of days."""

    days: int = whole("How many days (UTC), today included.", high=MOST_DAYS, default=DEFAULT_DAYS)
    tenant: Text | None = about("Another tenant; for an admin token for every tenant.")


class ChangeFields(ScopeFields):
    """Of a memory."""

    text: SkipValidation[Annotated[str, Field(min_length=1, max_length=MAX_TEXT_CHARS)] | None] = (
        about(
            "The new text of the memory; without it the text stays, if something else changes.",
            title="some text",
        )
    )
    metadata: Filters = about("Merged key by key; a key whose value is `null` is removed.")


class UpdateBody(ChangeFields):
    """Of a memory, in our words."""

    importance: Importance = about("From 0 to 1.")


class ResetFields(RequestModel):
    """Of a tenant."""

    confirm: Text | None = about("The name of the tenant whose memories are all removed.")
