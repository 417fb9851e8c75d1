"""The Responses API: `POST /v1/responses`, its requests and its answers. Pure.

`input` is a string (one user message) or a list of items: messages, calls and their results,
reasoning, and references to items that the upstream stores. An answer is a whole response, or the
events of a stream. The last event of a stream holds the whole response; the pieces before it are
read only if that event is missing or empty.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from recollect.filters import Answer, Injection, Place
from recollect.memory.model.messages import content_text, read_message
from recollect.memory.model.types import Message, ToolCall
from recollect.memory.util.untrusted_json import json_object

from .blocks import GAP, MessageShape, escaped, insertion, system_message
from .body import RequestBody, UnreadableBodyError, read_document, string
from .dialect import Dialect
from .plain import cuts_of, is_plain_item
from .splice import Insertion, Span, insert
from .sse import ResponseEndDetector
from .usage import reported_usage

_SHAPE = MessageShape(fields={"type": "message"}, part="input_text")
ARGUMENTS = {"function_call": "arguments", "custom_tool_call": "input"}
"""The field with the arguments, by type of call."""
_AROUND_A_STRING = ('{"type": "message", "role": "user", "content": ', "}]")
"""The text around a string input that turns it into a user message."""


@dataclass(frozen=True, slots=True)
class ResponsesBody(RequestBody):
    """A parsed request with the offsets of its input."""

    spans: Mapping[str, Span]
    """Offsets of the fields in `text`."""
    starts: list[int]
    """Offset in `text` of each item; empty if the input is a string."""

    @property
    def messages(self) -> list[Message]:
        given = self.fields["input"]
        if isinstance(given, str):
            return [Message(role="user", content=given)]
        return [_message(item) for item in given]

    @property
    def previous_response(self) -> str | None:
        return self.text_field("previous_response_id")

    @property
    def conversation(self) -> str | None:
        conversation = self.fields.get("conversation")
        if isinstance(conversation, dict):
            conversation = conversation.get("id")
        return conversation if isinstance(conversation, str) and conversation else None

    @property
    def may_be_shortened(self) -> bool:
        return self.fields.get("truncation") == "auto" or bool(
            self.fields.get("context_management")
        )

    @staticmethod
    def _tool_name(tool: Any) -> str:
        """The name of a function, or the type of a built-in tool."""
        if not isinstance(tool, dict):
            return ""
        name, kind = tool.get("name"), tool.get("type")
        if isinstance(name, str):
            return name
        return kind if isinstance(kind, str) and kind != "function" else ""

    def inject(self, injections: Sequence[Injection], without: Sequence[range] = ()) -> bytes:
        inserted = [each for one in injections for each in self._insertions(one)]
        return insert(self.raw, self.text, inserted, cuts_of(self.starts, without))

    def continuing(self, earlier: Sequence[Message]) -> ResponsesBody:
        told = [_SHAPE.fields | {"role": one.role, "content": one.content} for one in earlier]
        items = "".join(f"{json.dumps(item)}, " for item in told)
        span = self.spans["input"]
        inserted = [Insertion(self.starts[0], items)] if self.starts else []
        if not self.starts:
            before, after = _AROUND_A_STRING
            inserted = [Insertion(span.start, f"[{items}{before}"), Insertion(span.end, after)]
        named = self.spans["previous_response_id"]
        inserted.append(Insertion(named.start, "null"))
        return parse_responses_body(insert(self.raw, self.text, sorted(inserted), [named]))

    def understood(self) -> list[bool]:
        given = self.fields["input"]
        return [False] if isinstance(given, str) else [is_plain_item(item) for item in given]

    def _insertions(self, injection: Injection) -> tuple[Insertion, ...]:
        if injection.place is Place.START and self.text_field("instructions"):
            # Servers make the first system message of the instructions.
            return (Insertion(self.spans["instructions"].end - 1, escaped(GAP + injection.text)),)
        if self.starts:
            at = self.starts[injection.index]
            return (insertion(_SHAPE, self.text, at, injection),)
        span = self.spans["input"]
        if injection.place is Place.USER:
            return (Insertion(span.start + 1, escaped(injection.text + GAP)),)
        before, after = _AROUND_A_STRING
        ours = "[" + system_message(_SHAPE, injection.text) + ","
        return Insertion(span.start, ours + before), Insertion(span.end, after)


def parse_responses_body(raw: bytes) -> ResponsesBody:
    """Read a body.

    Raises:
        UnreadableBodyError: it is not UTF-8, not JSON, not an object, or its input is neither a
            string nor a list with something in it.
    """
    text, parsed = read_document(raw, "input")
    if "input" not in parsed.values:
        raise UnreadableBodyError("no input")
    starts = parsed.starts.get("input", [])
    if not starts and not isinstance(parsed.values["input"], str):
        raise UnreadableBodyError("the input is neither a string nor a list of items")
    return ResponsesBody(raw, text, parsed.values, parsed.spans, starts)


def _message(item: Any) -> Message:
    if _is_message(item):
        return read_message(item)
    if not isinstance(item, dict):
        return Message(role="", content="")
    if _is_result(item):
        output = content_text(item.get("output"))
        return Message(role="tool", content=output, call_id=string(item.get("call_id")) or None)
    return Message(role="", content="", calls=_calls(item))


def _calls(item: dict[str, Any]) -> tuple[ToolCall, ...]:
    """The call in an item; calls of built-in tools have no arguments in text form."""
    kind, call_id = item.get("type"), string(item.get("call_id"))
    if not isinstance(kind, str) or not kind.endswith("_call") or not call_id:
        return ()
    arguments = string(item.get(ARGUMENTS.get(kind, "")))
    return (ToolCall(string(item.get("name")) or kind, arguments, call_id),)


def _is_message(item: Any) -> bool:
    """Clients may omit the type of messages, but not of other items."""
    return isinstance(item, dict) and item.get("type") in ("message", None)


def _is_result(item: Any) -> bool:
    """Whether an item is a tool's result or an approval, so that the turn continues."""
    kind = item.get("type") if isinstance(item, dict) else None
    return isinstance(kind, str) and (kind.endswith("_output") or kind == "mcp_approval_response")


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
        return _answer(_items(whole), whole)
    pieces = _Pieces()
    for raw in received:
        pieces.take(json_object(raw) or {})
    if whole is None and not pieces.seen:
        return None
    return _answer(pieces.items(), whole or {"id": pieces.response_id})


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
            arguments = "".join([string(begun), *self.arguments])
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


def _answer(items: Sequence[dict[str, Any]], whole: dict[str, Any]) -> Answer:
    texts = (_text(item) for item in items if _type_of(item) == "message")
    calls = (call for item in items if (call := _tool_call(item)) is not None)
    return Answer(
        "\n".join(filter(None, texts)),
        tool_calls=tuple(calls),
        response_id=_id_of(whole),
        usage=reported_usage(whole.get("usage"), "input"),
    )


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


RESPONSES = Dialect(
    path="/v1/responses",
    parse=parse_responses_body,
    read=read_responses_answer,
    end_detector=ResponseEndDetector,
    keeps_conversations=True,
)
