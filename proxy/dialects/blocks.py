"""The bytes of a block of memories in a request: where each place is in a message. Pure.

Text is inserted with ASCII escapes; what the client sent is never written anew.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from recollect.filters import Injection, Place
from recollect.memory.model.messages import INSTRUCTIONS

from .body import NoPlaceError
from .splice import Insertion, Parsed, parse_object

GAP = "\n\n"
"""Between a block and the client's own text in the same message."""


class MessageShape(NamedTuple):
    """The format of an API's messages."""

    fields: dict[str, str]
    """Fields of a message besides role and content."""
    part: str
    """The type of a text part of a content."""


def system_message(shape: MessageShape, content: str) -> str:
    """A message as JSON with ASCII escapes."""
    return json.dumps({**shape.fields, "role": "system", "content": content})


def insertion(shape: MessageShape, text: str, position: int, injection: Injection) -> Insertion:
    """The insertion of a block that belongs to the message at `position`.

    Raises:
        NoPlaceError: the message has no content that text can be put into.
    """
    match injection.place:
        case Place.USER:
            return _before_its_text(shape, text, position, injection.text)
        case Place.START:
            return _at_the_start(shape, text, position, injection.text)
        case Place.TAIL:
            return _message_before(shape, position, injection.text)


def escaped(text: str) -> str:
    """The inside of a JSON string."""
    return json.dumps(text)[1:-1]


def _message_before(shape: MessageShape, position: int, block: str) -> Insertion:
    return Insertion(position, system_message(shape, block) + ",")


def _before_its_text(shape: MessageShape, text: str, position: int, block: str) -> Insertion:
    """Before the text of a message: its string, its first text part, or as a part of its own."""
    message = _message(text, position)
    match message.values.get("content"):
        case str():
            return Insertion(message.spans["content"].start + 1, escaped(block + GAP))
        case list() as parts:
            for part, start in zip(parts, message.starts["content"], strict=True):
                if (at := _text_of(part, text, start)) is not None:
                    return Insertion(at, escaped(block + GAP))
            new = json.dumps({"type": shape.part, "text": block + GAP}) + ("," if parts else "")
            return Insertion(message.spans["content"].start + 1, new)
        case _:
            raise NoPlaceError


def _at_the_start(shape: MessageShape, text: str, position: int, block: str) -> Insertion:
    """At the end of a first system message; before any other message, as one of our own."""
    message = _message(text, position)
    if not _is_instruction(message.values):
        return _message_before(shape, position, block)
    match message.values.get("content"):
        case str(old):
            added = escaped((GAP if old else "") + block)
        case list() as parts:
            new = json.dumps({"type": shape.part, "text": (GAP if parts else "") + block})
            added = ("," if parts else "") + new
        case _:
            raise NoPlaceError
    return Insertion(message.spans["content"].end - 1, added)


def _message(text: str, position: int) -> Parsed:
    try:
        return parse_object(text, position, lists=("content",))
    except ValueError:  # no object, or more parts than are read
        raise NoPlaceError from None


def _text_of(part: Any, text: str, start: int) -> int | None:
    """The offset of the text of a text part; None for other parts."""
    if isinstance(part, str):
        return start + 1
    if not isinstance(part, dict) or not isinstance(part.get("text"), str):
        return None
    return parse_object(text, start).spans["text"].start + 1


def _is_instruction(message: dict[str, Any]) -> bool:
    role = message.get("role")
    is_message = message.get("type") in ("message", None)
    return is_message and isinstance(role, str) and role in INSTRUCTIONS
