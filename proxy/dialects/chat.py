"""The Chat Completions API: `POST /v1/chat/completions`, its requests and its answers. Pure.

An answer is a whole completion, or the events of a stream. Only the first choice is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from recollect.filters import Answer, Injection, ToolCall
from recollect.memory.model.messages import content_text, read_message
from recollect.memory.model.types import Message
from recollect.memory.util.untrusted_json import json_object

from .blocks import MessageShape, insertion
from .body import RequestBody, arguments_text, read_document, starts_of_messages, string
from .dialect import Dialect
from .plain import cuts_of, is_plain_message
from .splice import insert
from .sse import DoneDetector
from .usage import reported_usage

_SHAPE = MessageShape(fields={}, part="text")


@dataclass(frozen=True, slots=True)
class ChatBody(RequestBody):
    """A parsed chat request with the offsets of its messages."""

    starts: list[int]
    """Offset in `text` of each message."""

    @property
    def messages(self) -> list[Message]:
        return [read_message(item) for item in self.fields["messages"]]

    def inject(self, injections: Sequence[Injection], without: Sequence[range] = ()) -> bytes:
        insertions = (insertion(_SHAPE, self.text, self.starts[i.index], i) for i in injections)
        return insert(self.raw, self.text, insertions, cuts_of(self.starts, without))

    def understood(self) -> list[bool]:
        return [is_plain_message(item) for item in self.fields["messages"]]


def parse_chat_body(raw: bytes) -> ChatBody:
    """Read a body.

    Raises:
        UnreadableBodyError: it is not UTF-8, not JSON, not an object, or has no list of messages.
    """
    text, parsed = read_document(raw, "messages")
    return ChatBody(raw, text, parsed.values, starts_of_messages(parsed))


def read_chat_answer(values: Iterable[bytes]) -> Answer | None:
    """The first choice's message, or None without one."""
    messages: list[dict[str, Any]] = []
    response_id = usage = None
    # Of a stream of many events only their messages are held at once.
    for raw in values:
        value = _completion(raw)
        if value is None:
            continue
        if response_id is None and isinstance(value.get("id"), str):
            response_id = value["id"]
        usage = value.get("usage") or usage
        if (message := _first_message(value)) is not None:
            messages.append(message)
    if not messages:
        return None
    return Answer(
        text="".join(map(_text, messages)),
        tool_calls=tool_calls(messages),
        response_id=response_id or "",
        usage=reported_usage(usage, "prompt"),
    )


def _completion(raw: bytes) -> dict[str, Any] | None:
    value = json_object(raw)
    return value if value is not None and isinstance(value.get("choices"), list) else None


def _first_message(value: dict[str, Any]) -> dict[str, Any] | None:
    for choice in value["choices"]:
        if isinstance(choice, dict) and choice.get("index", 0) == 0:
            message = choice.get("message") or choice.get("delta")
            return message if isinstance(message, dict) else {}
    return None


def _text(message: dict[str, Any]) -> str:
    """The text, refusal or audio transcript; never the reasoning."""
    audio = message.get("audio")
    spoken = audio.get("transcript") if isinstance(audio, dict) else None
    return (
        content_text(message.get("content"))
        or content_text(message.get("refusal"))
        or content_text(spoken)
    )


def tool_calls(messages: Sequence[dict[str, Any]]) -> tuple[ToolCall, ...]:
    """Calls arrive whole, or in pieces with an index; pieces of several calls may alternate.

    Some servers give every call the same index: another id begins another call.
    """
    pieces: dict[tuple[int, int], list[dict[str, Any]]] = {}
    latest: dict[int, tuple[int, object]] = {}
    for message in messages:
        for number, call in enumerate(_calls(message)):
            index, call_id = call.get("index"), call.get("id") or None
            index = index if isinstance(index, int) else number
            turn, known = latest.get(index, (0, None))
            turn += known is not None and call_id not in (None, known)
            latest[index] = turn, call_id or known
            pieces.setdefault((index, turn), []).append(call)
    return tuple(_call(parts) for _, parts in sorted(pieces.items()))


def _call(pieces: Sequence[dict[str, Any]]) -> ToolCall:
    """One call. Its id is in the first piece; some servers repeat it in every piece."""
    parts = [_named(piece) for piece in pieces]
    call_id = next((i for piece in pieces if isinstance(i := piece.get("id"), str) and i), "")
    arguments = _joined(parts, "arguments") or _joined(parts, "input")
    return ToolCall(_joined(parts, "name"), arguments, call_id)


def _calls(message: dict[str, Any]) -> list[dict[str, Any]]:
    calls = message.get("tool_calls")
    if not isinstance(calls, list):
        # The API before `tool_calls`; some servers still use it.
        call = message.get("function_call")
        return [{"function": call}] if isinstance(call, dict) else []
    return [call for call in calls if isinstance(call, dict)]


def _named(call: dict[str, Any]) -> dict[str, Any]:
    """The part of a call with name and arguments (``input`` where the tool is a custom one)."""
    part = call.get("function") or call.get("custom")
    return part if isinstance(part, dict) else {}


def _joined(parts: Iterable[dict[str, Any]], key: str) -> str:
    values = (part.get(key) for part in parts)
    return "".join(arguments_text(one) if isinstance(one, dict) else string(one) for one in values)


CHAT = Dialect(
    path="/v1/chat/completions",
    parse=parse_chat_body,
    read=read_chat_answer,
    end_detector=DoneDetector,
)
