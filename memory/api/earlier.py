"""What was said before a question: what is kept of it, and how it words the search. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..learn import strip_injected
from ..model.errors import InvalidInputError
from ..model.messages import parse_messages, shorten
from ..model.types import Message
from ..recall import Query

MOST_MESSAGES = 6
"""The last ones: what a question points at is rarely further back."""
MAX_CHARS = 600
"""Of each; the middle of a longer one is left out."""
_SPOKEN = frozenset({"user", "assistant"})


def earlier_messages(given: Any, question: str) -> list[Message]:
    """The last messages of a conversation before `question`, each shortened.

    Without instructions, results of tools, and blocks of memories that a client repeats. If the
    question itself is the last message, it is left out.

    Raises InvalidInputError, which names the message.
    """
    if isinstance(given, str):
        raise InvalidInputError("conversation", "expected a list of messages")
    try:
        messages = parse_messages(given)
    except InvalidInputError as error:
        field = error.field.replace("messages", "conversation", 1)
        raise InvalidInputError(field, error.expected) from None
    said = [
        Message(role=message.role, content=shorten(content, MAX_CHARS))
        for message in messages
        if message.role in _SPOKEN and (content := strip_injected(message.content).strip())
    ]
    if said and said[-1].role == "user" and said[-1].content == shorten(question, MAX_CHARS):
        said.pop()
    return said[-MOST_MESSAGES:]


def query_after(question: str, earlier: Sequence[Message]) -> Query:
    """The question, also worded with what was said before it, so that "there" finds a place."""
    last: dict[str, str] = {message.role: message.content for message in earlier}
    return Query(question, tuple(f"{said}\n{question}" for said in last.values()))
