"""The message we add to a request: a new one, or the end of one that is there. Pure."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from recollect.filters import Injection
from recollect.memory.messages import INSTRUCTIONS

from .splice import Insertion, parse_object


class MessageShape(NamedTuple):
    """How an API writes messages."""

    fields: dict[str, str]
    """What a message has besides its role and its content."""
    part: str
    """The type of a part of a content that is text."""


def system_message(shape: MessageShape, content: str) -> str:
    """A message as JSON; ASCII escapes keep it valid whatever the memories contain."""
    return json.dumps({**shape.fields, "role": "system", "content": content})


def placed(shape: MessageShape, text: str, position: int, injection: Injection) -> Insertion:
    """What puts an injection before, or if it is to be merged into, the message at `position`."""
    if injection.merge:
        merged = _merged(shape, text, position, injection.text)
        if merged is not None:
            return merged
    return Insertion(position, system_message(shape, injection.text) + ",")


def _merged(shape: MessageShape, text: str, position: int, content: str) -> Insertion | None:
    """What makes `content` the end of the system message at `position`; None if there is none."""
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
