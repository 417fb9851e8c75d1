"""Reads a conversation of Claude's export: a list of messages. Pure.

Later exports name the parent of each message; then the branch that ends with the newest one counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any

from ...model.quantities import moment_of
from . import said
from .said import ForeignConversation, ForeignMessage, conversation_of, foreign, newer

SERVICE = "claude"
_BY = {"human": True, "assistant": False}
_FILES = ("attachments", "files")
_RULES = {
    "thinking": said.THOUGHTS,
    "redacted_thinking": said.THOUGHTS,
    "tool_use": said.TOOLS,
    "tool_result": said.TOOLS,
}
_Message = Mapping[str, Any]


def is_file(path: str) -> bool:
    """Whether a path in the archive is that of the conversations."""
    return PurePosixPath(path).name == "conversations.json"


def conversation(value: Mapping[str, Any], where: str) -> ForeignConversation:
    """The branch that ends with the newest message. Raises InvalidInputError."""
    messages, name = value.get("chat_messages"), value.get("uuid")
    if not isinstance(messages, list):
        raise foreign(SERVICE, value, f"{where}, chat_messages", "expected a list")
    if not isinstance(name, str):
        raise newer(f"{where}, uuid", "expected text")
    told = [_checked(each, f"{where}, chat_messages[{n}]") for n, each in enumerate(messages)]
    branch = _branch(told, value.get("current_leaf_message_uuid"))
    left_out = Counter({said.BRANCHES: len(told) - len(branch)})
    begun, changed = (_moment(value.get(each)) for each in ("created_at", "updated_at"))
    spoken = list(_spoken(branch, left_out))
    return conversation_of(SERVICE, name, spoken, left_out, begun=begun, changed=changed)


def _checked(message: object, where: str) -> _Message:
    if not isinstance(message, dict):
        raise newer(where, "expected an object")
    for field in ("uuid", "sender"):
        if not isinstance(message.get(field), str):
            raise newer(f"{where}.{field}", "expected text")
    return message


def _branch(messages: Sequence[_Message], current: object) -> Sequence[_Message]:
    """The messages up to the current one, or else the newest; all if none names its parent."""
    by_name = {each["uuid"]: each for each in messages}
    if not any(_parent(each) in by_name for each in messages):
        return messages
    at = current if isinstance(current, str) and current in by_name else messages[-1]["uuid"]
    path: dict[str, _Message] = {}
    while at in by_name and at not in path:
        path[at] = by_name[at]
        at = _parent(by_name[at])
    return list(path.values())[::-1]


def _parent(message: _Message) -> str:
    parent = message.get("parent_message_uuid")
    return parent if isinstance(parent, str) else ""


def _spoken(messages: Sequence[_Message], left_out: Counter[str]) -> Iterator[ForeignMessage]:
    for each in messages:
        left_out[said.ATTACHMENTS] += sum(map(len, _lists(each, _FILES)))
        if each["sender"] not in _BY:
            left_out[said.OTHERS] += 1
            continue
        at = _moment(each.get("created_at"))
        yield ForeignMessage(each["uuid"], _BY[each["sender"]], _text(each, left_out), at)


def _lists(message: _Message, names: Sequence[str]) -> Iterator[Sequence[object]]:
    yield from (found for name in names if isinstance(found := message.get(name), list))


def _text(message: _Message, left_out: Counter[str]) -> str:
    """Its texts. Earlier exports have one; beside blocks, that one has marks of tools in it."""
    blocks = message.get("content")
    if not isinstance(blocks, list) or not blocks:
        text = message.get("text")
        return text if isinstance(text, str) else ""
    texts = []
    for each in blocks:
        kind = each.get("type") if isinstance(each, dict) else None
        if kind == "text" and isinstance(each.get("text"), str):
            texts.append(each["text"])
        else:
            left_out[_RULES.get(kind, said.OTHERS) if isinstance(kind, str) else said.OTHERS] += 1
    return "\n".join(texts)


def _moment(value: object) -> datetime | None:
    found = moment_of(value, seconds=False, zone=True)
    return found and found.astimezone(UTC)
