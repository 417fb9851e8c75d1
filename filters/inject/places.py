"""Finds the places of blocks by the roles of messages. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.memory.messages import INSTRUCTIONS, TOOL_ROLES
from recollect.memory.types import Message

from ..exchange import Injection
from .options import Position

_CALLERS = frozenset({"assistant", ""})
"""Roles of tool calls. In the Responses API a call is an item without a role."""


def places(messages: Sequence[Message]) -> list[int]:
    """For each user message the index before which its block is put, usually its own.

    For a user message between a tool's call and its result, it is the call's index, so that no
    further message separates them. Never decreasing; linear time.
    """
    awaited = _awaiting_results(messages)
    found = []
    call = None
    for index, message in enumerate(messages):
        if message.role == "user":
            found.append(call if call is not None and awaited[index] else index)
        elif message.role in _CALLERS and not _continues_calls(messages, index):
            call = index
    return found


def injection(
    messages: Sequence[Message], text: str, position: Position, *, merge_system: bool = False
) -> Injection | None:
    """The injection of a request's block; None without a user message."""
    found = places(messages)
    if not found:
        return None
    if position is not Position.START:
        return Injection(found[-1], text)
    return Injection(0, text, merge=merge_system and messages[0].role in INSTRUCTIONS)


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
