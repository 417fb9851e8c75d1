"""A chat request's body: read beside the bytes, edited inside them. Pure.

The body is never serialised again. The one message we add is spliced into the client's own bytes,
so whatever we do not know survives: fields, their order, number formats, escapes, white space.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from memory.messages import content_text
from memory.types import Message

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\n\r]*")


class UnreadableBodyError(ValueError):
    """The body is nothing we can edit; the upstream is to judge it."""


@dataclass(frozen=True, slots=True)
class ChatBody:
    """A parsed chat request and where its messages stand."""

    raw: bytes
    text: str
    fields: dict[str, Any]
    starts: list[int]
    """Offset in `text` of each message."""

    @property
    def messages(self) -> list[Message]:
        """The messages by role and text; what is no message has an empty role."""
        return [_message(item) for item in self.fields["messages"]]

    @property
    def model(self) -> str:
        """The model the client asked for."""
        model = self.fields.get("model")
        return model if isinstance(model, str) else ""

    @property
    def tools(self) -> list[str]:
        """Names of the tools on offer."""
        tools = self.fields.get("tools")
        if not isinstance(tools, list):
            return []
        return [name for tool in tools if (name := _tool_name(tool))]

    def metadata(self, key: str) -> str | None:
        """A text in the body's `metadata`."""
        metadata = self.fields.get("metadata")
        value = metadata.get(key) if isinstance(metadata, dict) else None
        return value if isinstance(value, str) and value else None

    def text_field(self, key: str) -> str | None:
        """A text at the top level of the body."""
        value = self.fields.get(key)
        return value if isinstance(value, str) and value else None


def parse_chat_body(raw: bytes) -> ChatBody:
    """Read a body.

    Raises:
        UnreadableBodyError: it is not UTF-8, not JSON, not an object, or has no list of messages.
    """
    try:
        text = raw.decode("utf-8")
        fields: dict[str, Any] = {}
        starts: list[int] = []
        for key, value_at in _members(text, fields):
            if key == "messages":
                starts = _element_starts(text, value_at)
    except (ValueError, IndexError, RecursionError) as error:
        raise UnreadableBodyError(str(error)) from None
    messages = fields.get("messages")
    if not isinstance(messages, list) or not messages or len(messages) != len(starts):
        raise UnreadableBodyError("no list of messages")
    return ChatBody(raw, text, fields, starts)


def insert_system_message(body: ChatBody, index: int, content: str) -> bytes:
    """The body's bytes with one more system message, before the one that has `index` now."""
    at = body.starts[index]
    if len(body.raw) != len(body.text):
        at = len(body.text[:at].encode("utf-8"))
    # ASCII escapes keep the inserted bytes valid whatever the memories contain.
    message = json.dumps({"role": "system", "content": content}).encode("ascii")
    return b"".join((body.raw[:at], message, b",", body.raw[at:]))


def _members(text: str, into: dict[str, Any]) -> Iterator[tuple[str, int]]:
    """Parse the one top-level object; yield each key with its value's offset when it is parsed."""
    position = _skip(text, 0)
    if text[position] != "{":
        raise ValueError("not an object")
    position = _skip(text, position + 1)
    while text[position] != "}":
        key, position = _DECODER.raw_decode(text, position)
        position = _skip(text, position)
        if not isinstance(key, str) or text[position] != ":":
            raise ValueError("not an object")
        value_at = _skip(text, position + 1)
        into[key], position = _DECODER.raw_decode(text, value_at)
        yield key, value_at
        position = _after_value(text, position, "}")
    if _skip(text, position + 1) != len(text):
        raise ValueError("more than one value")


def _element_starts(text: str, position: int) -> list[int]:
    if text[position] != "[":
        return []
    starts = []
    position = _skip(text, position + 1)
    while text[position] != "]":
        starts.append(position)
        _, position = _DECODER.raw_decode(text, position)
        position = _after_value(text, position, "]")
    return starts


def _after_value(text: str, position: int, end: str) -> int:
    """Past the comma to the next value, or at `end`."""
    position = _skip(text, position)
    if text[position] == end:
        return position
    if text[position] != ",":
        raise ValueError("expected a comma")
    position = _skip(text, position + 1)
    if text[position] == end:
        raise ValueError("a comma before the end")
    return position


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _message(item: Any) -> Message:
    if not isinstance(item, dict):
        return Message(role="", content="")
    role = item.get("role")
    return Message(
        role=role if isinstance(role, str) else "", content=content_text(item.get("content"))
    )


def _tool_name(tool: Any) -> str:
    function = tool.get("function") if isinstance(tool, dict) else None
    name = function.get("name") if isinstance(function, dict) else None
    return name if isinstance(name, str) else ""
