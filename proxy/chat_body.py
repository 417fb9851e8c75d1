"""The body of a chat completion request: read beside the bytes, edited inside them. Pure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from filters import Injection
from memory.messages import INSTRUCTIONS
from memory.types import Message

from .body import RequestBody, UnreadableBodyError, message_of
from .splice import Insertion, insert, parse_document, parse_object


@dataclass(frozen=True, slots=True)
class ChatBody(RequestBody):
    """A parsed chat request and where its messages stand."""

    starts: list[int]
    """Offset in `text` of each message."""

    @property
    def messages(self) -> list[Message]:
        return [message_of(item) for item in self.fields["messages"]]

    def inject(self, injections: Sequence[Injection]) -> bytes:
        return insert(self.raw, self.text, (self._insertion(i) for i in injections))

    def _insertion(self, injection: Injection) -> Insertion:
        start = self.starts[injection.index]
        if injection.merge:
            merged = into_system_message(self.text, start, injection.text)
            if merged is not None:
                return merged
        return Insertion(start, system_message(injection.text) + ",")


def parse_chat_body(raw: bytes) -> ChatBody:
    """Read a body.

    Raises:
        UnreadableBodyError: it is not UTF-8, not JSON, not an object, or has no list of messages.
    """
    try:
        text = raw.decode("utf-8")
        parsed = parse_document(text, lists=("messages",))
    except (ValueError, IndexError, RecursionError) as error:
        raise UnreadableBodyError(str(error)) from None
    starts = parsed.starts.get("messages")
    if not starts:
        raise UnreadableBodyError("no list of messages")
    return ChatBody(raw, text, parsed.values, starts)


def system_message(content: str) -> str:
    """The message we add, as JSON; ASCII escapes keep it valid whatever the memories contain."""
    return json.dumps({"role": "system", "content": content})


def into_system_message(text: str, position: int, content: str) -> Insertion | None:
    """What makes `content` the end of the system message at `position`; None if there is none."""
    if text[position] != "{":
        return None
    parsed = parse_object(text, position)
    role = parsed.values.get("role")
    if not isinstance(role, str) or role not in INSTRUCTIONS or "content" not in parsed.spans:
        return None
    before_its_end = parsed.spans["content"].end - 1
    match parsed.values["content"]:
        case str(old):
            separator = "\n\n" if old else ""
            return Insertion(before_its_end, json.dumps(separator + content)[1:-1])
        case [*parts] if parts:
            return Insertion(before_its_end, "," + json.dumps({"type": "text", "text": content}))
    return None
