"""One ordinary stream of Responses made of several; test_loop.py has the usual ones."""

from __future__ import annotations

import json
from typing import Any

from recollect.proxy.chat.tooling.events import EventSplitter, StreamEvent
from recollect.proxy.chat.tooling.responses_rounds import ResponsesRounds
from tests.support.folding import rows


def events(*values: dict[str, Any]) -> list[StreamEvent]:
    """The events of a round, numbered."""
    numbered = [{**value, "sequence_number": at} for at, value in enumerate(values)]
    raw = b"".join(b"data: " + json.dumps(value).encode() + b"\n\n" for value in numbered)
    return list(EventSplitter().feed(raw))


def item(kind: str, at: int, **fields: Any) -> list[dict[str, Any]]:
    """An item that begins and ends."""
    one = {"type": kind, "id": f"{kind}{at}", **fields}
    return [
        {"type": "response.output_item.added", "output_index": at, "item": one},
        {"type": "response.output_item.done", "output_index": at, "item": one},
    ]


def round_of(number: int, *items: list[dict[str, Any]]) -> list[StreamEvent]:
    """A whole round."""
    output = [pair[1]["item"] for pair in items]
    response = {"id": f"r{number}", "output": output, "usage": {"total_tokens": 1}}
    return events(
        {"type": "response.created", "response": {"id": f"r{number}"}},
        *(event for pair in items for event in pair),
        {"type": "response.completed", "response": response},
    )


def taken(stream: ResponsesRounds, round_: list[StreamEvent]) -> bytes:
    return b"".join(piece for event in round_ for piece in stream.take(event))


def values(raw: bytes) -> list[dict[str, Any]]:
    return [event.value() for event in EventSplitter().feed(raw)]


OURS = item("function_call", 1, name="ours", call_id="c", arguments="{}")


def test_reasoning_before_our_call_is_not_shown() -> None:
    """A client that sends it back without the call would be refused."""
    stream = ResponsesRounds({"ours"})
    assert taken(stream, round_of(1, item("reasoning", 0), OURS)) == b""
    assert [each["type"] for each in stream.round().said] == ["reasoning", "function_call"]
    stream.answered()
    shown = values(taken(stream, round_of(2, item("message", 0))) + b"".join(stream.last()))
    assert [each["sequence_number"] for each in shown] == [0, 1, 2, 3]
    assert shown[0]["response"]["id"] == shown[-1]["response"]["id"] == "r2"
    assert shown[-1]["response"]["usage"] == {"total_tokens": 2}
    assert [each["type"] for each in shown[-1]["response"]["output"]] == ["message"]


@rows("own", [None, [{"type": "function", "name": "theirs"}]])
def test_a_response_repeats_the_tools_of_the_client_only(own):
    """Servers repeat the tools of a request in the answer, and so in three events of a stream."""
    both = [{"type": "function", "name": "ours"}, *(own or [])]
    response = {"id": "r", "tools": both, "tool_choice": "none", "output": []}
    kinds = ("response.created", "response.in_progress", "response.completed")
    raws = [
        json.dumps({"type": kind, "sequence_number": number, "response": response}).encode()
        for number, kind in enumerate(kinds)
    ]
    stream = ResponsesRounds({"ours"}, own)
    events = [StreamEvent(b"data: " + raw + b"\n\n", raw) for raw in raws]
    out = [each for event in events for each in stream.take(event)] + list(stream.last())
    told = b"".join(out)
    assert b"ours" not in told
    assert told.count(b"theirs") == (3 if own else 0)
    assert told.count(b'"tool_choice":"auto"') == 3
