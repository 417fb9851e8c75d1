"""Reads a conversation of ChatGPT's export: a tree of messages, of which one branch is current.

`mapping` has the nodes by name, each with its parent; `current_node` is the last message of the
branch that was shown. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any

import regex

from ...model.quantities import number_of
from . import said
from .said import ForeignConversation, ForeignMessage, conversation_of, foreign, newer

SERVICE = "chatgpt"
_FILE = regex.compile(r"conversations(-\d+)?\.json")
_LAST_SECOND = 4_102_444_800
"""The year 2100."""
_CONTEXT = frozenset({"user_editable_context", "model_editable_context"})
_THOUGHTS = frozenset({"thoughts", "reasoning_recap"})
_SPOKEN = frozenset({"text", "multimodal_text"})
_HEARD = "audio_transcription"
_BY = {"user": True, "assistant": False}


def is_file(path: str) -> bool:
    """Whether a path in the archive is one of a file of conversations; large exports have many."""
    return _FILE.fullmatch(PurePosixPath(path).name) is not None


def conversation(value: Mapping[str, Any], where: str) -> ForeignConversation:
    """The branch that was shown. Raises InvalidInputError."""
    mapping, name = value.get("mapping"), value.get("conversation_id") or value.get("id")
    if not isinstance(mapping, dict):
        raise foreign(SERVICE, value, f"{where}, mapping", "expected an object")
    if not isinstance(name, str):
        raise newer(f"{where}, conversation_id", "expected text")
    left_out: Counter[str] = Counter()
    if value.get("is_do_not_remember") is True:
        left_out[said.UNREMEMBERED] += 1
        return conversation_of(SERVICE, name, (), left_out)
    path = _path(mapping, value.get("current_node"), f"{where}, mapping")
    left_out[said.BRANCHES] += sum(
        _role(message) in _BY
        for node in mapping.keys() - set(path)
        if (message := _message(mapping[node])) is not None
    )
    nodes = [(each, message) for each in path if (message := _message(mapping[each]))]
    spoken = list(_spoken(nodes, where, left_out))
    begun, changed = (_moment(value.get(each)) for each in ("create_time", "update_time"))
    return conversation_of(SERVICE, name, spoken, left_out, begun=begun, changed=changed)


def _path(mapping: Mapping[str, Any], current: object, where: str) -> list[str]:
    """The names of the nodes from the first to the current one, or else to the newest."""
    for name, node in mapping.items():
        if not isinstance(node, dict):
            raise newer(f"{where}.{name}", "expected an object")
    at = current if isinstance(current, str) and current in mapping else _newest(mapping)
    path: dict[str, None] = {}
    while isinstance(at, str) and at in mapping and at not in path:
        path[at] = None
        at = mapping[at].get("parent")
    return list(path)[::-1]


def _newest(mapping: Mapping[str, Any]) -> str | None:
    def made(name: str) -> float:
        message = _message(mapping[name]) or {}
        return number_of(message.get("create_time")) or 0.0

    return max(mapping, key=made, default=None)


def _message(node: Mapping[str, Any]) -> Mapping[str, Any] | None:
    message = node.get("message")
    return message if isinstance(message, dict) else None


def _spoken(
    nodes: Sequence[tuple[str, Mapping[str, Any]]], where: str, left_out: Counter[str]
) -> Iterator[ForeignMessage]:
    """What was said on a branch."""
    for name, message in nodes:
        if (rule := _rule(message, f"{where}, mapping.{name}")) is not None:
            left_out[rule] += bool(rule != said.INSTRUCTIONS or _has_text(message))
            continue
        text, attached = _text(message)
        left_out[said.ATTACHMENTS] += attached
        slug = _object(message, "metadata").get("model_slug")
        model, at = slug if isinstance(slug, str) else "", _moment(message.get("create_time"))
        yield ForeignMessage(name, _BY[_role(message)], text, at, model)


def _rule(message: Mapping[str, Any], where: str) -> str | None:
    """Why a message is left out; None if it is not."""
    role, about = _role(message), _object(message, "metadata")
    kind = _object(message, "content").get("content_type")
    if role and message.get("content", "") is None:
        return said.OTHERS
    if not role or not isinstance(kind, str):
        raise newer(f"{where}.message", "expected an author with a role, and content of a type")
    if role == "system" or kind in _CONTEXT or about.get("is_user_system_message"):
        return said.INSTRUCTIONS
    if role == "tool" or message.get("recipient") not in (None, "", "all"):
        return said.TOOLS
    if kind in _THOUGHTS:
        return said.THOUGHTS
    if message.get("weight") == 0 or about.get("is_visually_hidden_from_conversation"):
        return said.HIDDEN
    if role not in _BY:
        return said.OTHERS
    if kind in _SPOKEN:
        return None
    return said.TOOLS if kind in ("code", "execution_output") else said.OTHERS


def _role(message: Mapping[str, Any]) -> str:
    role = _object(message, "author").get("role")
    return role if isinstance(role, str) else ""


def _object(value: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = value.get(name)
    return found if isinstance(found, dict) else {}


def _has_text(message: Mapping[str, Any]) -> bool:
    content = _object(message, "content")
    return content.get("content_type") in _CONTEXT or bool(_text(message)[0].strip())


def _text(message: Mapping[str, Any]) -> tuple[str, int]:
    """What was written or spoken, and the number of pictures, files and recordings."""
    parts = _object(message, "content").get("parts")
    texts, attached = list[str](), 0
    for each in parts if isinstance(parts, list) else ():
        if isinstance(each, str):
            texts.append(each)
        elif isinstance(each, dict):
            heard = each.get("text") if each.get("content_type") == _HEARD else None
            if isinstance(heard, str):
                texts.append(heard)
            else:
                attached += 1
    files = _object(message, "metadata").get("attachments")
    # A picture stands in both.
    return "\n".join(filter(None, texts)), max(
        attached, len(files) if isinstance(files, list) else 0
    )


def _moment(value: object) -> datetime | None:
    seconds = number_of(value) or 0
    return datetime.fromtimestamp(seconds, UTC) if 0 < seconds < _LAST_SECOND else None
