"""Tells people who share a client apart, by the name before their words. Pure.

Bots and group chats send everybody's messages with one credential. The API has a `name` for the
speaker; many bots write it before the text instead. Only the form of such a label is read, never
its words: brackets, and a colon where the form has one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from recollect.filters.exchange import last_user_index
from recollect.memory.model.errors import InvalidInputError
from recollect.memory.model.types import Message

MAX_LABEL_CHARS = 64
"""Of a name in a label: the limit that the API has for `name`."""
_NAME = rf"(?P<name>[^\[\]{{}}\n\r]{{1,{MAX_LABEL_CHARS}}})"
_LABELS = tuple(
    re.compile(pattern)
    for pattern in (
        # "From" is a part of the form, as in the header of a mail.
        rf"\[From: *{_NAME}\]:?(?!\()",
        rf"\[{_NAME}\]:",
        rf"\{{\{{{_NAME}\}}\}}:",
    )
)
_REFERENCE = re.compile(r"\[[^\[\]\n]*\]:[ \t]*(?:<\S+>|\S+://\S*)[ \t]*(?:[\"'(].*)?(?:[\r\n]|$)")
"""The definition of a link in Markdown: `[docs]: https://example.org "A title"`."""
_CLOCK = re.compile(r"\d:\d\d")


class _Label(NamedTuple):
    name: str
    after: str
    """The text after it."""


def with_names(messages: Sequence[Message]) -> Sequence[Message]:
    """The messages with the name that a label says as `name`, and the label cut off.

    Only if the last user message has a label and everybody before it says who speaks: else it is
    how one person begins a text ("[URGENT]: ...").
    """
    index = last_user_index(messages)
    if index is None or _label(messages[index]) is None:
        return messages
    return [_named(each) for each in messages] if all(map(_says_who, messages)) else messages


def speaker_of(messages: Sequence[Message]) -> str | None:
    """Who speaks in the last user message; None if the request does not say.

    Raises:
        InvalidInputError: the message has a `name` that is no text, or the labels of several.
    """
    index = last_user_index(messages)
    if index is None:
        return None
    message = messages[index]
    name = with_names(messages)[index].name
    if name == "":
        raise InvalidInputError(f"messages[{index}].name", "expected a string")
    if message.name is None and name is not None:
        lines = (replace(message, content=line) for line in message.content.splitlines())
        if {label.name for line in lines if (label := _label(line))} != {name}:
            # A bot may send what several people said as one message.
            raise InvalidInputError(f"messages[{index}].content", "expected one speaker")
    return name


def user_of(user: str, speaker: str) -> str:
    """The user whose memories are those of somebody who speaks through `user`'s client."""
    return f"{user}/{speaker}"


def speaks_through(user: str, of: str) -> bool:
    """Whether `of` is a user that `user_of` makes from `user`."""
    return of.startswith(user_of(user, ""))


def _named(message: Message) -> Message:
    label = _label(message)
    return message if label is None else replace(message, name=label.name, content=label.after)


def _label(message: Message) -> _Label | None:
    """The label at the very beginning of a user message that has no `name`."""
    text = message.content
    if message.role != "user" or message.name is not None or not text.startswith(("[", "{{")):
        return None
    found = next((match for label in _LABELS if (match := label.match(text))), None)
    if found is None or _REFERENCE.match(text):
        return None
    name = found["name"].strip()
    # Footnotes, and times: each would be somebody else.
    if name.startswith("^") or _CLOCK.search(name) or not any(map(str.isalpha, name)):
        return None
    return _Label(name, text[found.end() :].lstrip())


def _says_who(message: Message) -> bool:
    """Whether it leaves nothing unsaid about who speaks."""
    if message.role != "user" or not message.content.strip() or message.name is not None:
        return True
    return _label(message) is not None
