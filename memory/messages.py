"""Chat messages as the engine reads them: roles and text, whatever shape the content has. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .errors import InvalidInputError
from .types import Message

IMAGE = "[image]"
"""Stands for a part that is not text, so that "what is this?" does not look self-contained."""

INSTRUCTIONS = frozenset({"system", "developer"})
"""Roles whose messages tell the assistant what to do: nothing is ever learned from them."""

_TEXT_PARTS = {"text", "input_text", "output_text", "refusal"}
_OTHER_PARTS = {
    "image_url": IMAGE,
    "input_image": IMAGE,
    "input_audio": "[audio]",
    "file": "[file]",
    "input_file": "[file]",
}


def content_text(content: Any) -> str:
    """The text of a message's content: a string, a list of parts, or nothing. Never raises."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    return "\n".join(filter(None, (_part_text(part) for part in content)))


def _part_text(part: Any) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return ""
    kind = part.get("type")
    if not isinstance(kind, str):
        return ""
    if kind in _TEXT_PARTS:
        text = part.get("text", part.get("refusal"))
        return text if isinstance(text, str) else ""
    return _OTHER_PARTS.get(kind, "")


def shorten(text: str, max_chars: int) -> str:
    """The beginning and the end of a text that is longer than `max_chars` characters.

    A fact is rarely in the middle of a paste.
    """
    if len(text) <= max_chars:
        return text
    half = max_chars // 2
    return f"{text[:half]}\n[...]\n{text[-half:]}"


def parse_messages(value: Any) -> list[Message]:
    """What `add` accepts: a string, one message, or a list of them.

    Raises:
        InvalidInputError: names the message and what was expected of it.
    """
    if isinstance(value, str):
        value = [{"role": "user", "content": value}]
    elif isinstance(value, Mapping):
        value = [value]
    if not isinstance(value, Sequence):
        raise InvalidInputError("messages", "expected a string or a list of messages")
    return [_message(f"messages[{number}]", item) for number, item in enumerate(value)]


def _message(field: str, item: Any) -> Message:
    if isinstance(item, Message):
        return item
    if not isinstance(item, Mapping):
        raise InvalidInputError(field, "expected an object with role and content")
    role, content = item.get("role"), item.get("content")
    if not isinstance(role, str) or not role:
        raise InvalidInputError(f"{field}.role", "expected a role such as user or assistant")
    if content is not None and not isinstance(content, (str, list)):
        raise InvalidInputError(f"{field}.content", "expected text or a list of parts")
    return Message(role=role, content=content_text(content))
