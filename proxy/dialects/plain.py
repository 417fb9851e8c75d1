"""Which messages of a request are understood in full, and where they are cut out. Pure.

Whoever takes a message out of a request must know all that it says: a field or a part that is not
known here may mean more than the text (a cache mark, a picture, a citation).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .splice import Span

_ROLES = frozenset({"user", "assistant", "tool"})
_RESULTS = frozenset({"function_call_output", "custom_tool_call_output"})
_CALLS = {"function_call": "arguments", "custom_tool_call": "input"}
_ENDED = ("completed", None)
_TEXT_PARTS = frozenset({"text", "input_text", "output_text"})
_FIELDS = frozenset({"role", "content", "name", "tool_calls", "tool_call_id"})
_EMPTY_FIELDS = frozenset({"refusal", "annotations", "audio", "function_call"})
"""Fields that SDKs send back without a value; with one a message says more than its text."""
_EMPTY_IN_PARTS = ("annotations", "logprobs")
_ROLE_AND_CONTENT = 2
"""Fields of a message that has no others."""


def cuts_of(starts: Sequence[int], without: Sequence[range]) -> list[Span]:
    """The spans of messages with the comma after each; the last message is never among them."""
    return [Span(starts[part.start], starts[part.stop]) for part in without]


def is_plain_message(item: Any) -> bool:
    """Whether a message of the Chat API is nothing but text, calls of tools, or a result."""
    if not isinstance(item, dict):
        return False
    role, content = item.get("role"), item.get("content")
    if not isinstance(role, str) or role not in _ROLES:
        return False
    if len(item) == _ROLE_AND_CONTENT and isinstance(content, str):
        return True  # nearly all
    if any(item[key] for key in item.keys() & _EMPTY_FIELDS):
        return False
    if not item.keys() <= _FIELDS | _EMPTY_FIELDS:
        return False
    calls = item.get("tool_calls")
    if calls is not None and not _are_calls(calls):
        return False
    return is_plain_text(content) or (content is None and bool(calls))


def is_plain_item(item: Any) -> bool:
    """Whether an item of the Responses API is a message of text, a call, or its result.

    Calls and messages of an answer have an id of the upstream's, which nothing refers to once the
    item is not sent. Reasoning is none of them, so a turn with it stays.
    """
    if not isinstance(item, dict) or item.get("status") not in _ENDED:
        return False
    kind = item.get("type") or "message"
    if kind == "message":
        role, known = item.get("role"), {"type", "role", "content", "id", "status"}
        return (
            role in ("user", "assistant")
            and item.keys() <= known
            and is_plain_text(item.get("content"))
        )
    if not isinstance(item.get("call_id"), str) or not isinstance(kind, str):
        return False
    if kind in _RESULTS:
        known = {"type", "call_id", "output", "id", "status"}
        return item.keys() <= known and isinstance(item.get("output"), str)
    known = {"type", "call_id", "name", "id", "status", _CALLS.get(kind, "")}
    return kind in _CALLS and item.keys() <= known


def is_plain_text(content: Any) -> bool:
    """Whether a content is a text, or a list of parts that are nothing but text."""
    if isinstance(content, str):
        return True
    return isinstance(content, list) and all(map(_is_text_part, content))


def _is_text_part(part: Any) -> bool:
    return (
        isinstance(part, dict)
        and {"type", "text"} <= part.keys() <= {"type", "text", *_EMPTY_IN_PARTS}
        and part["type"] in _TEXT_PARTS
        and isinstance(part["text"], str)
        and not any(part.get(key) for key in _EMPTY_IN_PARTS)
    )


def _are_calls(calls: Any) -> bool:
    return isinstance(calls, list) and all(
        isinstance(call, dict) and isinstance(call.get("id"), str) and bool(call["id"])
        for call in calls
    )
