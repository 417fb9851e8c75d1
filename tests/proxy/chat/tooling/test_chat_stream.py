"""One ordinary stream of Chat Completions made of several; test_loop.py has the usual ones."""

from __future__ import annotations

import json
from typing import Any

from recollect.proxy.chat.tooling.chat_stream import MergedChat
from recollect.proxy.chat.tooling.events import EventSplitter, StreamEvent


def events(*deltas: Any, number: int = 1) -> list[StreamEvent]:
    """A round: deltas, a finish reason as text, or a whole event."""
    made = b""
    for delta in deltas:
        if isinstance(delta, bytes):
            made += delta
            continue
        choice = {"index": 0, "delta": {}, "finish_reason": None}
        choice |= {"finish_reason": delta} if isinstance(delta, str) else {"delta": delta}
        made += b"data: " + json.dumps({"id": f"c{number}", "choices": [choice]}).encode() + b"\n\n"
    return list(EventSplitter().feed(made))


CALL = {"tool_calls": [{"index": 0, "id": "1", "function": {"name": "ours", "arguments": "{}"}}]}
DONE = b"data: [DONE]\n\n"


def taken(stream: MergedChat, round_: list[StreamEvent]) -> bytes:
    return b"".join(piece for event in round_ for piece in stream.take(event))


def test_text_is_passed_on_at_once() -> None:
    """Byte for byte, before anything is known of the end."""
    stream, said = MergedChat({"ours"}), events({"role": "assistant"}, {"content": "Hi"})
    assert taken(stream, said) == b"".join(event.raw for event in said)
    end = events("stop", DONE)
    assert taken(stream, end) == b""
    assert b"".join(stream.last()) == b"".join(event.raw for event in end)


def test_what_is_not_read_is_passed_on() -> None:
    """Comments, errors, empty lists of calls, and events of other kinds."""
    odd = b': ping\n\ndata: {"error": {"message": "x"}}\n\ndata: nothing\n\n'
    stream, said = MergedChat({"ours"}), events(odd, {"content": "a", "tool_calls": None})
    assert taken(stream, said) == b"".join(event.raw for event in said)


def test_text_of_two_rounds_is_apart() -> None:
    """By an empty line, in one answer with one beginning."""
    stream = MergedChat({"ours"})
    first = taken(
        stream, events({"role": "assistant", "content": "One."}, CALL, "tool_calls", DONE)
    )
    assert b"One." in first
    assert b"tool_calls" not in first
    assert [call.name for call in stream.round().calls] == ["ours"]
    stream.answered()
    second = events(
        {"role": "assistant", "content": ""}, {"content": "Two."}, "stop", DONE, number=2
    )
    after = taken(stream, second) + b"".join(stream.last())
    chunks = [event.value() for event in EventSplitter().feed(after) if not event.is_done]
    assert {chunk["id"] for chunk in chunks} == {"c1"}
    deltas = [chunk["choices"][0]["delta"] for chunk in chunks]
    assert deltas == [{"content": "\n\n"}, {"content": "Two."}, {}]


def test_the_reasoning_goes_back_to_the_server() -> None:
    """Some refuse a call whose reasoning is not repeated."""
    stream = MergedChat({"ours"})
    taken(
        stream,
        events({"reasoning_content": "Let "}, {"reasoning_content": "me."}, CALL, "tool_calls"),
    )
    [said] = stream.round().said
    assert said["reasoning_content"] == "Let me."
