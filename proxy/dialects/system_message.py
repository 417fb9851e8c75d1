"""The message that is added to a request: a new one, or the end of an existing one. Pure."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from recollect.filters import Injection
from recollect.memory.messages import INSTRUCTIONS

from .splice import Insertion, parse_object


class MessageShape(NamedTuple):
    """The format of an API's messages."""

    fields: dict[str, str]
    """Fields of a message besides role and content."""
    part: str
    """The type of a text part of a content."""


def system_message(shape: MessageShape, content: str) -> str:
    """A message as JSON with ASCII escapes."""
    return json.dumps({**shape.fields, "role": "system", "content": content})


def placed(shape: MessageShape, text: str, position: int, injection: Injection) -> Insertion:
    """The insertion of an injection before the message at `position`, or merged into it."""
    if injection.merge:
        merged = _merged(shape, text, position, injection.text)
        if merged is not None:
            return merged
    return Insertion(position, system_message(shape, injection.text) + ",")


def _merged(shape: MessageShape, text: str, position: int, content: str) -> Insertion | None:
    """The insertion of `content` at the end of a system message; None for other messages."""
    if text[position] != "{":
        return None
    parsed = parse_object(text, position)
    if not _is_instruction(parsed.values):
        return None
    match parsed.values.get("content"):
        case str(old):
            added = json.dumps(("\n\n" if old else "") + content)[1:-1]
        case [*parts] if parts:
            added = "," + json.dumps({"type": shape.part, "text": content})
        case _:
            return None
    return Insertion(parsed.spans["content"].end - 1, added)


def _is_instruction(message: dict[str, Any]) -> bool:
    role = message.get("role")
    is_message = message.get("type") in ("message", None)
    return is_message and isinstance(role, str) and role in INSTRUCTIONS
