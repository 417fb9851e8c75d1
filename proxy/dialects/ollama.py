"""Ollama's own chat API: `POST /api/chat`, its requests and its answers. Pure.

A request is like one of the Chat API, but pictures stand beside the text, arguments of calls are
objects, and nothing has an id. An answer is one JSON document, or a line of JSON for each piece;
without `stream` it is in pieces.

https://docs.ollama.com/api/chat
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from recollect.filters import Answer
from recollect.memory.model.messages import TOOL_ROLES, content_text, read_message
from recollect.memory.model.types import Message, ToolCall
from recollect.memory.util.untrusted_json import json_object

from .body import arguments_text, string
from .chat import ChatBody, parse_chat_body
from .dialect import Dialect

_LAST = re.compile(rb'"done" ?: ?true\b[^\n]*\n?')
_OVERLAP = 4096
"""The last line also tells times and counts, and the context of older servers."""


@dataclass(frozen=True, slots=True)
class OllamaBody(ChatBody):
    """A parsed request with the offsets of its messages."""

    @property
    def streams(self) -> bool:
        return self.fields.get("stream") is not False

    @property
    def messages(self) -> list[Message]:
        return [_message(item) for item in self.fields["messages"]]


def parse_ollama_body(raw: bytes) -> OllamaBody:
    """Read a body. Raises UnreadableBodyError as `parse_chat_body`."""
    body = parse_chat_body(raw)
    return OllamaBody(body.raw, body.text, body.fields, body.starts)


def read_ollama_answer(values: Iterable[bytes]) -> Answer | None:
    """The text and calls of an answer, or None if the values are none."""
    messages = [
        message
        for value in map(json_object, values)
        if value is not None and isinstance(message := value.get("message"), dict)
    ]
    if not messages:
        return None
    return Answer(
        "".join(content_text(message.get("content")) for message in messages),
        tool_calls=tuple(call for message in messages for call in _calls(message)),
    )


class LastLineDetector:
    """Finds the line that says that an answer is done, independent of the chunks.

    A model's text cannot imitate it: quotes are escaped in JSON.
    """

    def __init__(self) -> None:
        self._tail = b""

    def feed(self, chunk: bytes) -> bool:
        """Whether the line has come, as far as it tells that it is the last."""
        window = self._tail + chunk
        self._tail = window[-_OVERLAP:]
        return b"done" in window and _LAST.search(window) is not None


def _message(item: Any) -> Message:
    plain = read_message(item)
    if not isinstance(item, dict) or plain.role in TOOL_ROLES:
        return plain
    images = item.get("images")
    urls = [f"data:image;base64,{one}" for one in _texts(images)]
    return Message(
        role=plain.role,
        content=plain.content,
        calls=_calls(item),
        images=tuple(urls),
        name=plain.name,
    )


def _calls(message: dict[str, Any]) -> tuple[ToolCall, ...]:
    calls = message.get("tool_calls")
    calls = calls if isinstance(calls, list) else []
    found = (call.get("function") for call in calls if isinstance(call, dict))
    return tuple(_call(one) for one in found if isinstance(one, dict))


def _call(function: dict[str, Any]) -> ToolCall:
    return ToolCall(string(function.get("name")), arguments_text(function.get("arguments")), "")


def _texts(value: Any) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


OLLAMA = Dialect(
    path="/api/chat",
    parse=parse_ollama_body,
    read=read_ollama_answer,
    end_detector=LastLineDetector,
    lines=True,
)
