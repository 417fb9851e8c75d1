"""The fields of the memory API, defined once for the handlers and the OpenAPI document.

Each field has a JSON Schema and a reading function, made from the same bounds.
Pure; every refusal is an InvalidInputError that names the field.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from recollect.memory import InvalidInputError
from recollect.memory.model.inputs import (
    DEFAULT_LIMIT,
    DEFAULT_PROPOSAL,
    FEEDBACK,
    MAX_LIMIT,
    MAX_METADATA_BYTES,
    MAX_METADATA_LEVELS,
    MAX_REASON_CHARS,
    MAX_TEXT_CHARS,
    check_importance,
    check_reason,
    check_unicode,
    checked_feedback,
    checked_type,
)
from recollect.memory.model.messages import MAX_MESSAGES
from recollect.memory.model.quantities import moment_of, whole_of
from recollect.memory.model.scope import MAX_SCOPE_CHARS, SCOPE_IDS
from recollect.memory.model.types import JobState, MemoryType

MAX_JOBS = 1000
DEFAULT_JOBS = 50
FLUSH_SECONDS = 60
MAX_FLUSH_SECONDS = 3600
MAX_PROPOSAL = 200
MAX_IDS = 10_000

Schema = dict[str, Any]
_INTEGER = re.compile(r"-?[0-9]{1,18}")
_NUMBER = re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,30})?([eE][+-]?[0-9]{1,3})?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One field of a body or a query."""

    name: str
    description: str
    schema: Schema
    """The accepted values. If a field is optional, `null` means the same as leaving it out."""
    read: Callable[[str, Any], Any]
    """Converts the field's name and JSON value to the value that the handler gets."""
    default: Any = None
    """The handler's value if the field is missing."""
    required: bool = False
    repeated: bool = False
    """Whether a query may have it several times; the value is then a list of texts."""
    idle: bool = False
    """Whether it chooses nothing: clients of other servers send it, and no handler reads it."""

    def value(self, said: Mapping[str, Any]) -> Any:
        """The handler's value. Raises InvalidInputError."""
        if self.name not in said:
            if self.required:
                raise InvalidInputError(self.name, f"expected {self._expected()}")
            return self.default
        return self.read(self.name, said[self.name])

    def from_query(self, text: str) -> Any:
        """The JSON value of a text from a query string. Raises InvalidInputError."""
        kind = self.schema.get("type")
        if kind == "integer":
            if not _INTEGER.fullmatch(text):
                raise InvalidInputError(self.name, "expected a whole number")
            return int(text)
        if kind == "boolean":
            if text not in {"true", "false"}:
                raise InvalidInputError(self.name, "expected true or false")
            return text == "true"
        if kind == "number":
            if not _NUMBER.fullmatch(text):
                raise InvalidInputError(self.name, "expected a number")
            return float(text)
        return text

    def _expected(self) -> str:
        return str(self.schema.get("title", "a value"))


def _text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise InvalidInputError(name, "expected text")
    check_unicode(name, value)
    return value


def _text_or_none(name: str, value: Any) -> str | None:
    return None if value is None else _text(name, value)


def _as_it_is(_name: str, value: Any) -> Any:
    """No check here: the library validates the value and names the wrong part."""
    return value


def _feedback(_name: str, value: Any) -> str:
    return checked_feedback(value).value


def _type(_name: str, value: Any) -> MemoryType | None:
    return checked_type(value)


def _importance(_name: str, value: Any) -> float | None:
    check_importance(value)
    return None if value is None else float(value)


def _reason(_name: str, value: Any) -> str | None:
    check_reason(value)
    return None if value is None else str(value)


def _flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise InvalidInputError(name, "expected true or false")
    return value


def _ids(name: str, value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InvalidInputError(name, "expected a list of texts")
    if len(value) > MAX_IDS:
        raise InvalidInputError(name, f"expected at most {MAX_IDS}")
    return value


def moment(name: str, value: Any) -> datetime | None:
    """A time from seconds since the epoch or ISO 8601; None stays None."""
    if value is None:
        return None
    found = moment_of(value)
    if found is None:
        raise InvalidInputError(name, "expected ISO 8601 or seconds since the epoch")
    return found


def _range(low: int, high: int) -> Callable[[str, Any], int]:
    def read(name: str, value: Any) -> int:
        found = whole_of(value, low, high)
        if found is None:
            raise InvalidInputError(name, f"expected a whole number from {low} to {high}")
        return found

    return read


def _one_of(kinds: type[StrEnum]) -> Callable[[str, Any], Any]:
    def read(name: str, value: Any) -> Any:
        try:
            return kinds(value)
        except ValueError:
            names = ", ".join(kind.value for kind in kinds)
            raise InvalidInputError(name, f"expected one of {names}") from None

    return read


def whole(name: str, description: str, *, high: int, default: int) -> Field:
    """A field for a whole number from 1 to `high`."""
    schema = {"type": "integer", "minimum": 1, "maximum": high, "default": default}
    return Field(
        name=name, description=description, schema=schema, read=_range(1, high), default=default
    )


def choice(name: str, description: str, kinds: type[StrEnum], default: StrEnum | None) -> Field:
    """A field for one of the words of `kinds`."""
    schema: Schema = {"type": "string", "enum": [kind.value for kind in kinds]}
    if default is not None:
        schema["default"] = default.value
    return Field(
        name=name, description=description, schema=schema, read=_one_of(kinds), default=default
    )


def text(name: str, description: str) -> Field:
    """A field for a text or `null`."""
    return Field(
        name=name, description=description, schema={"type": ["string", "null"]}, read=_text_or_none
    )


def flag(name: str, description: str) -> Field:
    """A field that is off unless it is set."""
    schema = {"type": "boolean", "default": False}
    return Field(name=name, description=description, schema=schema, read=_flag, default=False)


def in_query(fields: Sequence[Field]) -> tuple[Field, ...]:
    """The same fields for a query string, which has no `null`."""
    return tuple(
        replace(field, schema=field.schema | {"type": "string"})
        if field.schema.get("type") == ["string", "null"]
        else field
        for field in fields
    )


_MESSAGE: Schema = {
    "type": "object",
    "required": ["role"],
    "properties": {
        "role": {"type": "string", "minLength": 1},
        "content": {
            "description": "Text, or content parts as in the Chat API.",
            "anyOf": [{"type": ["string", "null"]}, {"type": "array"}],
        },
    },
}
MESSAGES = Field(
    name="messages",
    description="A text of the user, one message, or a conversation. With `infer` false, a message "
    f"of more than {MAX_TEXT_CHARS} characters is stored as several memories.",
    schema={
        "title": "a string or a list of messages",
        "anyOf": [
            {"type": "string"},
            _MESSAGE,
            {"type": "array", "items": _MESSAGE, "maxItems": MAX_MESSAGES},
        ],
    },
    read=_as_it_is,
    required=True,
)
METADATA = Field(
    name="metadata",
    description=f"Stored with each memory. At most {MAX_METADATA_BYTES} bytes as JSON "
    f"and {MAX_METADATA_LEVELS} levels.",
    schema={"type": ["object", "null"]},
    read=_as_it_is,
)
INFER = Field(
    name="infer",
    description="Whether a model extracts facts; if not, each message is stored unchanged.",
    schema={"type": "boolean", "default": True},
    read=_flag,
    default=True,
)
DEDUPE = Field(
    name="dedupe",
    description="With `infer` false: whether a message is skipped if the scope has a memory with "
    "its text (apart from white space) and metadata.",
    schema={"type": "boolean", "default": True},
    read=_flag,
    default=True,
)
TIMESTAMP = Field(
    name="timestamp",
    description="Time of the messages: ISO 8601 or seconds since the epoch. Default: now.",
    schema={
        "anyOf": [{"type": "string", "format": "date-time"}, {"type": "number"}, {"type": "null"}]
    },
    read=moment,
)
PROMPT = text("prompt", "Instructions for the model; they replace the built-in ones.")
TEXT = Field(
    name="text",
    description="The new text of the memory; without it the text stays, if something else changes.",
    schema={
        "title": "some text", "type": ["string", "null"], "minLength": 1,
        "maxLength": MAX_TEXT_CHARS,
    },
    read=_as_it_is,
)  # fmt: skip
MERGED = replace(METADATA, description="Merged key by key; a key whose value is `null` is removed.")
TYPE = Field(
    name="type",
    description="The type of each new memory; by default the model says.",
    schema={"type": ["string", "null"], "enum": [*(kind.value for kind in MemoryType), None]},
    read=_type,
)
IMPORTANCE = Field(
    name="importance",
    description="From 0 to 1.",
    schema={"type": ["number", "null"], "minimum": 0, "maximum": 1},
    read=_importance,
)
FEEDBACK_GIVEN = Field(
    name="feedback",
    description="Whether the memory is useful, or wrong or useless.",
    schema={"type": "string", "enum": list(FEEDBACK)},
    read=_feedback,
    required=True,
)
REASON = Field(
    name="reason",
    description="Why, for the history of the memory.",
    schema={"type": ["string", "null"], "maxLength": MAX_REASON_CHARS},
    read=_reason,
)
SCOPE = tuple(
    Field(
        name=name,
        description=description,
        schema={"type": ["string", "null"], "minLength": 1, "maxLength": MAX_SCOPE_CHARS},
        read=_as_it_is,
    )
    for name, description in zip(SCOPE_IDS, ("The user.", "The agent.", "The run."), strict=True)
)
LIMIT = whole("limit", "Most results.", high=MAX_LIMIT, default=DEFAULT_LIMIT)
Q = text("q", "The search query.")
QUERY = text("query", "The search query; in a query string, `q` wins over it.")
THRESHOLD = Field(
    name="threshold",
    description="Least score of a hit, from 0 to 1.",
    schema={"type": "number", "minimum": 0, "maximum": 1},
    read=_as_it_is,
)
SECONDS = whole(
    "seconds",
    "Longest time that the request waits; jobs go on afterwards.",
    high=MAX_FLUSH_SECONDS,
    default=FLUSH_SECONDS,
)
STREAM = Field(
    name="stream",
    description="Report progress, one JSON object per line. With `Accept: text/event-stream` the "
    "reports are server-sent events.",
    schema={"type": "boolean", "default": False},
    read=_flag,
    default=False,
)
JOB_LIMIT = whole("limit", "Most results.", high=MAX_JOBS, default=DEFAULT_JOBS)
JOB_STATE = choice("state", "Jobs in this state.", JobState, None)
IDS = Field(
    name="ids",
    description="Ids of memories to erase. An unknown id is counted as missing.",
    schema={"type": "array", "items": {"type": "string"}, "maxItems": MAX_IDS},
    read=_ids,
    default=(),
)
ABOUT = text("query", "The subject of the memories to propose.")
CONFIRM = text("confirm", "The token of a proposal; its memories are erased now.")
CONFIRM_RESET = text("confirm", "The name of the tenant whose memories are all removed.")
KEEP = Field(
    name="keep",
    description="Ids of the proposal to keep.",
    schema={"type": "array", "items": {"type": "string"}, "maxItems": MAX_IDS},
    read=_ids,
    default=(),
)
REPLACES = Field(
    name="replaces",
    description="Ids of the memories that it replaces; they are superseded, and can be restored.",
    schema={"type": "array", "items": {"type": "string"}, "maxItems": MAX_IDS},
    read=_ids,
    default=(),
)
ALL = Field(
    name="all",
    description="Erase everything of the scope.",
    schema={"type": "boolean", "default": False},
    read=_flag,
    default=False,
)
PROPOSED = whole("limit", "Most proposals.", high=MAX_PROPOSAL, default=DEFAULT_PROPOSAL)
