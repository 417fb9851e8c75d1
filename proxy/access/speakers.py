"""Tells people who share a client apart, by the name before their words. Pure.

Bots and group chats send everybody's messages with one credential. The API has a `name` for the
speaker; many bots write it before the text instead. Only the form of such a label is read, never
its words: brackets, and a colon where the form has one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from recollect.filters.exchange import last_user_index
from recollect.memory.errors import InvalidInputError
from recollect.memory.types import Message

MAX_LABEL_CHARS = 64
"""Of a name in a label: the limit that the API has for `name`."""
_NAME = rf"(?P<name>[^\[\]{{}}\n\r]{{1,{MAX_LABEL_CHARS}}})"
_LABELS = tuple(
    re.compile(pattern)
    for pattern in (
        # "From" is a part of the form, as in the header of a mail.
        rf"\[From: *{_NAME}\](?!\()",
        rf"\[{_NAME}\]:",
        rf"\{{\{{{_NAME}\}}\}}:",
    )
)
_REFERENCE = re.compile(r"\[[^\[\]\n]*\]:[ \t]*(?:<\S+>|\S+://\S*)[ \t]*(?:[\"'(].*)?(?:[\r\n]|$)")
"""The definition of a link in Markdown: `[docs]: https://example.org "A title"`."""
_CLOCK = re.compile(r"\d:\d\d")


def speaker_of(messages: Sequence[Message]) -> str | None:
    """Who speaks in the last user message; None if the request does not say.

    Where somebody has spoken without a label before, a label is no speaker: it is how one person
    begins a text ("[URGENT]: ...").

    Raises:
        InvalidInputError: the message has a `name` that is no text.
    """
    index = last_user_index(messages)
    if index is None:
        return None
    last = messages[index]
    if last.name == "":
        raise InvalidInputError(f"messages[{index}].name", "expected a non-empty text")
    if last.name is not None:
        return last.name
    label = label_of(last.content)
    return label if label is not None and all(map(_says_who, messages[:index])) else None


def user_of(user: str, speaker: str) -> str:
    """The user whose memories are those of somebody who speaks through `user`'s client."""
    return f"{user}/{speaker}"


def speaks_through(user: str, of: str) -> bool:
    """Whether `of` is a user that `user_of` makes from `user`."""
    return of.startswith(f"{user}/")


def label_of(text: str) -> str | None:
    """The name in a label at the very beginning of a text; None without one."""
    if not text.startswith(("[", "{{")) or _REFERENCE.match(text):
        return None
    found = next((match for label in _LABELS if (match := label.match(text))), None)
    name = found["name"].strip() if found else ""
    # Footnotes, and times: each would be somebody else.
    if name.startswith("^") or _CLOCK.search(name) or not any(map(str.isalpha, name)):
        return None
    return name


def _says_who(message: Message) -> bool:
    """Whether it leaves nothing unsaid about who speaks."""
    if message.role != "user" or not message.content.strip():
        return True
    return message.name is not None or label_of(message.content) is not None
