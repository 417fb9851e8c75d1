"""Finds the messages that blocks belong to, by the roles of messages. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.memory.model.messages import TOOL_ROLES
from recollect.memory.model.types import Message

from ..exchange import Injection, Place

_CALLERS = frozenset({"assistant", ""})
"""Roles of tool calls. In the Responses API a call is an item without a role."""


def places(messages: Sequence[Message], place: Place) -> list[int]:
    """For each user message the index of the message that its block belongs to.

    That is its own index. A system message must not separate a tool's call from its result: for a
    user message between the two, ``tail`` is the call's index. Never decreasing; linear time.
    """
    if place is not Place.TAIL:
        return [index for index, message in enumerate(messages) if message.role == "user"]
    awaited = _awaiting_results(messages)
    found = []
    call = None
    for index, message in enumerate(messages):
        if message.role == "user":
            found.append(call if call is not None and awaited[index] else index)
        elif message.role in _CALLERS and not _continues_calls(messages, index):
            call = index
    return found


def injection(messages: Sequence[Message], text: str, place: Place) -> Injection | None:
    """The injection of a request's block; None without a user message."""
    found = places(messages, place)
    if not found:
        return None
    return Injection(0 if place is Place.START else found[-1], text, place)


def _awaiting_results(messages: Sequence[Message]) -> list[bool]:
    """For each message, whether the result of an earlier tool call follows."""
    found = [False] * len(messages)
    awaited = False
    for index in reversed(range(len(messages))):
        found[index] = awaited
        role = messages[index].role
        awaited = role in TOOL_ROLES or (awaited and role not in _CALLERS)
    return found


def _continues_calls(messages: Sequence[Message], index: int) -> bool:
    return index > 0 and messages[index].role == "" and messages[index - 1].role in _CALLERS
