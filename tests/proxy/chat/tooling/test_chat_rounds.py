"""One ordinary stream of Chat Completions made of several; test_loop.py has the usual ones."""

from __future__ import annotations

import json
from typing import Any

from recollect.proxy.chat.tooling.chat_rounds import ChatRounds
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


def taken(stream: ChatRounds, round_: list[StreamEvent]) -> bytes:
    return b"".join(piece for event in round_ for piece in stream.take(event))


def test_the_reasoning_goes_back_to_the_server() -> None:
    """Some refuse a call whose reasoning is not repeated."""
    stream = ChatRounds({"ours"})
    taken(
        stream,
        events({"reasoning_content": "Let "}, {"reasoning_content": "me."}, CALL, "tool_calls"),
    )
    [said] = stream.round().said
    assert said["reasoning_content"] == "Let me."
