"""Reads the assistant's message from a Responses answer. Pure.

The values are the whole response, or the events of a stream. The last event of a stream holds the
whole response; the pieces before it are read only if that event is missing or empty.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from recollect.filters import Answer, ToolCall
from recollect.memory.model.messages import content_text
from recollect.memory.util.untrusted_json import json_object

from .responses_body import ARGUMENTS, string

_WITH_A_RESPONSE = re.compile(rb'"response(?:\.completed|\.incomplete|\.failed)?"')
"""Finds the values that may hold a whole response, so that deltas need not be parsed."""
_LAST_EVENTS = frozenset({"response.completed", "response.incomplete", "response.failed"})
_TEXT_DELTAS = frozenset(
    {
        "response.output_text.delta",
        "response.refusal.delta",
        "response.output_audio_transcript.delta",
        "response.audio.transcript.delta",
    }
)
_CALL_DELTAS = frozenset(
    {"response.function_call_arguments.delta", "response.custom_tool_call_input.delta"}
)
_ITEM_EVENTS = frozenset({"response.output_item.added", "response.output_item.done"})
_BUILT_IN_CALLS = frozenset({"computer_call", "local_shell_call", "shell_call", "apply_patch_call"})
"""Types of calls of tools that the API defines and the client runs."""


def read_responses_answer(values: Iterable[bytes]) -> Answer | None:
    """The text and calls of the output, or None if the values are not a response."""
    received = list(values)
    whole = next(filter(None, map(_whole_response, reversed(received))), None)
    if whole is not None and (_items(whole) or len(received) == 1):
        return _answer(_items(whole), _id_of(whole))
    pieces = _Pieces()
    for raw in received:
        pieces.take(json_object(raw) or {})
    if whole is None and not pieces.seen:
        return None
    return _answer(pieces.items(), _id_of(whole) or pieces.response_id)


@dataclass
class _Item:
    """The received part of one output item."""

    value: dict[str, Any]
    texts: dict[int, list[str]] = field(default_factory=dict)
    """Pieces of text by part index."""
    arguments: list[str] = field(default_factory=list)

    def whole(self) -> dict[str, Any]:
        if not self.texts and not self.arguments:
            return self.value
        key = ARGUMENTS.get(_type_of(self.value))
        if key is not None:
            begun = self.value.get(key)
            arguments = "".join([begun if isinstance(begun, str) else "", *self.arguments])
            return {**self.value, key: arguments}
        parts = ["".join(pieces) for _, pieces in sorted(self.texts.items())]
        return {"type": "message", "content": parts}


class _Pieces:
    """Assembles an output from the events of a stream; events of several items may alternate."""

    def __init__(self) -> None:
        self.seen = False
        self.response_id = ""
        self._items: dict[int, _Item] = {}
        self._latest = 0

    def take(self, event: dict[str, Any]) -> None:
        kind = _type_of(event)
        if not kind.startswith("response."):
            return
        self.seen = True
        self.response_id = _id_of(event.get("response")) or self.response_id
        if kind in _ITEM_EVENTS:
            item = event.get("item")
            self._items[self._index(event)] = _Item(item if isinstance(item, dict) else {})
        elif kind in _TEXT_DELTAS:
            part = event.get("content_index")
            texts = self._item(event).texts
            texts.setdefault(part if isinstance(part, int) else 0, []).append(
                string(event.get("delta"))
            )
        elif kind in _CALL_DELTAS:
            self._item(event).arguments.append(string(event.get("delta")))

    def items(self) -> list[dict[str, Any]]:
        return [item.whole() for _, item in sorted(self._items.items())]

    def _item(self, event: dict[str, Any]) -> _Item:
        return self._items.setdefault(self._index(event), _Item({}))

    def _index(self, event: dict[str, Any]) -> int:
        """The item of an event; events of spoken answers have no index and use the latest one."""
        index = event.get("output_index")
        self._latest = index if isinstance(index, int) else self._latest
        return self._latest


def _whole_response(raw: bytes) -> dict[str, Any] | None:
    """The response in a document or in a stream's last event."""
    if _WITH_A_RESPONSE.search(raw) is None:
        return None
    value = json_object(raw) or {}
    if value.get("object") == "response":
        return value
    response = value.get("response")
    return response if _type_of(value) in _LAST_EVENTS and isinstance(response, dict) else None


def _items(response: dict[str, Any]) -> list[dict[str, Any]]:
    output = response.get("output")
    return [item for item in output if isinstance(item, dict)] if isinstance(output, list) else []


def _answer(items: Sequence[dict[str, Any]], response_id: str) -> Answer:
    texts = (_text(item) for item in items if _type_of(item) == "message")
    calls = (call for item in items if (call := _tool_call(item)) is not None)
    return Answer("\n".join(filter(None, texts)), tool_calls=tuple(calls), response_id=response_id)


def _text(message: dict[str, Any]) -> str:
    content = message.get("content")
    return content_text([_spoken(p) for p in content] if isinstance(content, list) else content)


def _spoken(part: Any) -> Any:
    return part.get("transcript") if _type_of(part) == "output_audio" else part


def _tool_call(item: dict[str, Any]) -> ToolCall | None:
    kind, call_id = _type_of(item), string(item.get("call_id"))
    if kind in _BUILT_IN_CALLS:
        return ToolCall(kind, "", call_id)
    if kind not in ARGUMENTS:
        return None
    return ToolCall(string(item.get("name")), string(item.get(ARGUMENTS[kind])), call_id)


def _id_of(response: Any) -> str:
    return string(response.get("id")) if isinstance(response, dict) else ""


def _type_of(value: Any) -> str:
    return string(value.get("type")) if isinstance(value, dict) else ""
