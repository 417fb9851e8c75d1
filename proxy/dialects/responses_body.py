"""The body of a Responses request. Pure.

`input` is a string (one user message) or a list of items: messages, calls and their results,
reasoning, and references to items that the upstream stores.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from recollect.filters import Injection, Place
from recollect.memory.model.messages import content_text, read_message
from recollect.memory.model.types import Message, ToolCall

from .blocks import GAP, MessageShape, escaped, insertion, system_message
from .body import RequestBody, UnreadableBodyError
from .splice import Insertion, Span, insert, parse_document

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

    def inject(self, injections: Sequence[Injection]) -> bytes:
        inserted = [each for one in injections for each in self._insertions(one)]
        return insert(self.raw, self.text, inserted)

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
    try:
        text = raw.decode("utf-8")
        parsed = parse_document(text, lists=("input",))
    except (ValueError, IndexError, RecursionError) as error:
        raise UnreadableBodyError(str(error)) from None
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


def string(value: Any) -> str:
    """The value if it is a string, else an empty string."""
    return value if isinstance(value, str) else ""


def _is_message(item: Any) -> bool:
    """Clients may omit the type of messages, but not of other items."""
    return isinstance(item, dict) and item.get("type") in ("message", None)


def _is_result(item: Any) -> bool:
    """Whether an item is a tool's result or an approval, so that the turn continues."""
    kind = item.get("type") if isinstance(item, dict) else None
    return isinstance(kind, str) and (kind.endswith("_output") or kind == "mcp_approval_response")
