"""Fields that several operations have: pages, ids, reasons, messages, times and shares."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any

from pydantic import ConfigDict, Field, SkipValidation

from ..model.inputs import (
    DEFAULT_LIMIT,
    MAX_LIMIT,
    MAX_REASON_CHARS,
    check_importance,
    check_reason,
)
from ..model.messages import MAX_MESSAGES, MAX_RUN_MESSAGES
from ..model.types import Message
from ..model.zones import zone_named
from .declaring import IF_MATCH, LIBRARY_ONLY, As, field
from .fields import TEXT, Moment, RequestModel, Text, about, judged

MAX_IDS = 10_000
"""Of one request."""
Cursor = Annotated[
    str | None, As(Annotated[str, TEXT] | None), field("The `next` of the page before.")
]
Limit = Annotated[int, field("Most results.", high=MAX_LIMIT)]
MemoryId = Annotated[str, field("The id of the memory.")]
OptionalText = As(Text | None)
Expected = Annotated[int | str | None, IF_MATCH]
"""The version that a memory must have."""
TopK = Annotated[int | None, LIBRARY_ONLY]
"""What mem0 calls the limit."""
Timeout = Annotated[float | None, LIBRARY_ONLY]
Conditions = SkipValidation[dict[str, Any] | None]
CONDITIONS = 'Conditions on fields and metadata, such as {"tag": "work", "priority": {"gte": 2}}.'
Share = Annotated[float, Field(ge=0, le=1)]


def checked(check: Callable[[object], None]) -> Any:
    """Read a value by a check that raises InvalidInputError."""

    def read(_name: str, said: object) -> object:
        check(said)
        return said

    return judged(read)


Reason = Annotated[
    Annotated[str, Field(max_length=MAX_REASON_CHARS)] | None,
    checked(check_reason),
]
Weight = Annotated[Share | None, checked(check_importance)]
Importance = Annotated[float | None, As(Weight), field("From 0 to 1.")]


class MessageFields(RequestModel):
    """One message, as the Chat API has them."""

    model_config = ConfigDict(extra="allow")

    role: str = Field(min_length=1)
    content: str | list[Any] | None = about("Text, or content parts as in the Chat API.")


ManyMessages = Annotated[list[MessageFields], Field(max_length=MAX_MESSAGES)]
RunMessages = Annotated[
    Sequence[Mapping[str, Any] | Message],
    As(SkipValidation[Annotated[list[MessageFields], Field(max_length=MAX_RUN_MESSAGES)]]),
    field(
        "The messages of the run, with `tool_calls` and their results (role `tool`).",
        title="a list of messages",
    ),
]
Time = datetime | str | float | None
"""A time, or ISO 8601, or seconds since the epoch."""
AsTime = As(Moment)


def most_of(high: int, default: int) -> As:
    """How many at most, from 1 to `high`."""
    return As(Annotated[int, Field(ge=1, le=high)], default)


MostResults = Annotated[int | None, most_of(MAX_LIMIT, DEFAULT_LIMIT), field("Most results.")]


def _zone(name: str, said: Any) -> str | None:
    return None if said is None else zone_named(name, said).key


class ZoneFields(RequestModel):
    """Of what names days."""

    timezone: Annotated[str | None, judged(_zone)] = about(
        "The user's time zone, from whose days times count, such as Europe/Oslo; by default that "
        "of the header or of the configuration."
    )


class StreamFields(RequestModel):
    """Of what can be told while the model writes it."""

    stream: bool = about(
        "Answer in server-sent events: `text` while the model writes, then one `answer`, which "
        "holds, or one `error`.",
        default=False,
    )
