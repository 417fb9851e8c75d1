"""The Messages API: `POST /v1/messages`, its requests and its answers. Pure.

Instructions are a field of the request; here they are the first message. A user message may hold
results of tools, which come before its text. A cache mark ends a prefix that the server keeps: what
is put before it would change that prefix in every turn, so a block goes behind the last one.

https://docs.claude.com/en/api/messages
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from recollect.filters import Answer, Injection, Place, ReportedUsage
from recollect.memory.model.messages import IMAGE, content_text
from recollect.memory.model.types import Message, ToolCall
from recollect.memory.util.untrusted_json import json_object

from .blocks import GAP, escaped
from .body import (
    NoPlaceError,
    RequestBody,
    arguments_text,
    read_document,
    starts_of_messages,
    string,
)
from .dialect import Dialect
from .splice import Insertion, Span, insert, parse_object
from .sse import MessageEndDetector

_MOST_TOKENS = 10**9
"""Tokens of one prompt: what is more is no report."""


@dataclass(frozen=True, slots=True)
class MessagesBody(RequestBody):
    """A parsed request with the offsets of its messages and its instructions."""

    starts: list[int]
    """Offset in `text` of each message."""
    system: Span | None
    """The offsets of the instructions."""

    @property
    def messages(self) -> list[Message]:
        instructions = [] if self.system is None else [self._instructions()]
        return [*instructions, *map(_message, self.fields["messages"])]

    @staticmethod
    def _tool_name(tool: Any) -> str:
        return string(tool.get("name")) if isinstance(tool, dict) else ""

    def inject(self, injections: Sequence[Injection], without: Sequence[range] = ()) -> bytes:
        if without:
            raise NoPlaceError  # nothing is said to be understood, so nothing is taken out
        inserted = [self._insertion(one) for one in injections]
        return insert(self.raw, self.text, sorted(inserted, key=lambda one: one.at))

    def _instructions(self) -> Message:
        return Message(role="system", content=content_text(self.fields["system"]))

    def _insertion(self, injection: Injection) -> Insertion:
        if injection.place is Place.START:
            return self._at_the_start(injection.text)
        number = injection.index - (self.system is not None)
        return _in_message(self.text, self.starts[max(number, 0)], injection.text)

    def _at_the_start(self, block: str) -> Insertion:
        """At the end of the instructions; without any, as the only ones."""
        if self.system is None:
            ours = f'"system": {json.dumps(block)}, '
            return Insertion(self.text.index("{") + 1, ours)
        match self.fields["system"]:
            case str(old):
                added = escaped((GAP if old else "") + block)
            case list() as parts:
                added = ("," if parts else "") + _block((GAP if parts else "") + block)
            case _:
                raise NoPlaceError
        return Insertion(self.system.end - 1, added)


def parse_messages_body(raw: bytes) -> MessagesBody:
    """Read a body.

    Raises:
        UnreadableBodyError: it is not UTF-8, not JSON, not an object, or has no list of messages.
    """
    text, parsed = read_document(raw, "messages")
    starts, system = starts_of_messages(parsed), parsed.spans.get("system")
    return MessagesBody(raw, text, parsed.values, starts, system)


def _in_message(text: str, position: int, block: str) -> Insertion:
    """Before the text of a message, and behind its results and its last cache mark."""
    try:
        message = parse_object(text, position, lists=("content",))
    except ValueError:  # no object, or more parts than are read
        raise NoPlaceError from None
    match message.values.get("content"):
        case str():
            return Insertion(message.spans["content"].start + 1, escaped(block + GAP))
        case list() as parts:
            behind = max((n for n, part in enumerate(parts, 1) if _comes_first(part)), default=0)
            if behind < len(parts):
                return Insertion(message.starts["content"][behind], _block(block + GAP) + ",")
            new = ("," if parts else "") + _block(block)
            return Insertion(message.spans["content"].end - 1, new)
        case _:
            raise NoPlaceError


def _comes_first(part: Any) -> bool:
    """Whether nothing of ours may stand before a part."""
    return isinstance(part, dict) and (
        part.get("type") == "tool_result" or part.get("cache_control") is not None
    )


def _block(text: str) -> str:
    return json.dumps({"type": "text", "text": text})


def _message(item: Any) -> Message:
    if not isinstance(item, dict):
        return Message(role="", content="")
    role, content = string(item.get("role")), item.get("content")
    parts = (
        [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    )
    results = [part for part in parts if part.get("type") == "tool_result"]
    said = content_text(_known(content), apart=role == "user")
    if results and not said:
        output = "\n".join(content_text(_known(part.get("content"))) for part in results)
        call_id = string(results[0].get("tool_use_id")) or None
        return Message(role="tool", content=output, call_id=call_id)
    calls = tuple(_call(part) for part in parts if part.get("type") == "tool_use")
    return Message(role=role, content=said, calls=calls, images=_images(parts))


def _known(content: Any) -> Any:
    """The parts with text and pictures, as the other APIs have them."""
    if not isinstance(content, list):
        return content
    return [_part(part) for part in content]


def _part(part: Any) -> Any:
    kind = part.get("type") if isinstance(part, dict) else None
    if kind == "image":
        return {"type": "text", "text": IMAGE}
    if kind == "document":
        return {"type": "file"}
    return part if kind == "text" else None


def _images(parts: Sequence[dict[str, Any]]) -> tuple[str, ...]:
    urls = (_url(part.get("source")) for part in parts if part.get("type") == "image")
    return tuple(filter(None, urls))


def _url(source: Any) -> str:
    if not isinstance(source, dict):
        return ""
    if source.get("type") == "base64":
        return f"data:{string(source.get('media_type'))};base64,{string(source.get('data'))}"
    return string(source.get("url"))


def _call(part: dict[str, Any]) -> ToolCall:
    written = arguments_text(part.get("input"))
    return ToolCall(string(part.get("name")), written, string(part.get("id")))


@dataclass
class _Pieces:
    """Assembles an answer from the events of a stream."""

    message: dict[str, Any] = field(default_factory=dict)
    blocks: dict[int, dict[str, Any]] = field(default_factory=dict)
    texts: dict[int, list[str]] = field(default_factory=dict)
    """Pieces of text, or of a call's input, by the number of their block."""

    def take(self, event: dict[str, Any]) -> None:
        number = event.get("index")
        number = number if isinstance(number, int) else 0
        match event.get("type"):
            case "message" | "message_start":
                whole = event if event.get("type") == "message" else event.get("message")
                self.message = whole if isinstance(whole, dict) else {}
                self._begin(self.message.get("content"))
            case "content_block_start" if isinstance(event.get("content_block"), dict):
                self.blocks[number] = event["content_block"]
            case "content_block_delta" if isinstance(event.get("delta"), dict):
                delta = event["delta"]
                piece = string(delta.get("text")) or string(delta.get("partial_json"))
                self.texts.setdefault(number, []).append(piece)

    def answer(self) -> Answer:
        blocks = [self._whole(number) for number in sorted(self.blocks)]
        texts = (string(one.get("text")) for one in blocks if one.get("type") == "text")
        return Answer(
            "".join(texts),
            tool_calls=tuple(_call(one) for one in blocks if one.get("type") == "tool_use"),
            response_id=string(self.message.get("id")),
            usage=_usage(self.message.get("usage")),
        )

    def _begin(self, content: Any) -> None:
        parts = content if isinstance(content, list) else []
        self.blocks |= {n: part for n, part in enumerate(parts) if isinstance(part, dict)}

    def _whole(self, number: int) -> dict[str, Any]:
        block, text = self.blocks[number], "".join(self.texts.get(number, ()))
        if block.get("type") == "text":
            return {**block, "text": string(block.get("text")) + text}
        return {**block, "input": text} if text else block


def read_messages_answer(values: Iterable[bytes]) -> Answer | None:
    """The text and calls of an answer, or None if the values are none."""
    pieces = _Pieces()
    for raw in values:
        pieces.take(json_object(raw) or {})
    return pieces.answer() if pieces.message or pieces.blocks else None


def _usage(usage: Any) -> ReportedUsage | None:
    """The whole prompt: what was read from the cache, written to it, and neither."""
    if not isinstance(usage, dict):
        return None
    names = ("cache_read_input_tokens", "cache_creation_input_tokens", "input_tokens")
    counts = [n for name in names if type(n := usage.get(name)) is int and 0 <= n <= _MOST_TOKENS]
    return ReportedUsage(sum(counts), counts[0]) if len(counts) == len(names) else None


MESSAGES = Dialect(
    path="/v1/messages",
    parse=parse_messages_body,
    read=read_messages_answer,
    end_detector=MessageEndDetector,
)
