"""Whatever a server sends, no byte of our calls reaches the client, and the answer is well formed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from recollect.proxy.chat.tooling.chat_rounds import ChatRounds
from recollect.proxy.chat.tooling.events import EventSplitter
from recollect.proxy.chat.tooling.responses_rounds import ResponsesRounds
from recollect.proxy.chat.tooling.rounds import OurNames

OURS, MARK = ("fact_search", "Fact_Search", "functions.fact_search"), "our secret"
THEIRS = ("weather", "fact_searcher")
NAMES = OurNames(["fact_search"])
MOST_ROUNDS = 4

ENDS = st.sampled_from([b"\n\n", b"\r\n\r\n"])
CALLS = st.lists(
    st.tuples(
        st.sampled_from([*OURS, *THEIRS]),
        st.sampled_from(["id", "", None]),
        st.booleans(),
    ),
    max_size=4,
)
TEXTS = st.lists(st.sampled_from(["Hi", " there", "", "\u2028", "data: x\n\n"]), max_size=4)


@st.composite
def chat_events(draw: st.DrawFn) -> list[Any]:
    """One round of Chat Completions: values, or raw bytes of comments and marks."""
    events: list[Any] = [{"role": "assistant", "content": ""}]
    if draw(st.booleans()):
        events.insert(0, b": ping")
    if draw(st.booleans()):
        events.insert(0, {"choices": [], "prompt_filter_results": []})
    events += [{"content": text} for text in draw(TEXTS)]
    pieces: list[dict[str, Any]] = []
    same_index = draw(st.booleans())
    for at, (name, call_id, whole) in enumerate(draw(CALLS)):
        index = 0 if same_index else at
        told = f"{call_id}{at}" if call_id or same_index else call_id
        arguments = json.dumps({"query": MARK if name in OURS else "x"})
        first = {"index": index, "id": told, "type": "function"}
        if whole:
            pieces.append({**first, "function": {"name": name, "arguments": arguments}})
        else:
            pieces.append({**first, "function": {"name": name, "arguments": ""}})
            pieces += [
                {"index": index, "function": {"arguments": part}}
                for part in (arguments[:7], arguments[7:])
            ]
    if pieces and not same_index and draw(st.booleans()):
        # Pieces of several calls alternate: in the order of each call.
        pieces.sort(key=lambda piece: "name" not in piece["function"])
    events += [{"tool_calls": [piece]} for piece in pieces]
    if pieces and draw(st.booleans()):
        events[-len(pieces)]["content"] = "Let me look."
    if draw(st.booleans()):
        events.append({"content": "After."})
    end = draw(st.sampled_from(["finish", "finish", "finish", "error", "nothing"]))
    if end == "finish":
        events.append("tool_calls" if pieces else "stop")
        if draw(st.booleans()):
            events.append({"choices": [], "usage": {"total_tokens": 1}})
    if end == "error":
        events.append({"error": {"message": "overloaded"}})
    if end == "finish" and draw(st.booleans()):
        events.append(b"data: [DONE]")
    return events


def chat_bytes(events: Sequence[Any], number: int, end: bytes) -> bytes:
    """The stream of a round."""

    def one(event: Any) -> bytes:
        if isinstance(event, bytes):
            return event
        value = {"id": f"c{number}", "object": "chat.completion.chunk", "created": number}
        if isinstance(event, str):
            value["choices"] = [{"index": 0, "delta": {}, "finish_reason": event}]
        elif "choices" in event or "error" in event:
            value |= event
        else:
            value["choices"] = [{"index": 0, "delta": event, "finish_reason": None}]
        return b"data: " + json.dumps(value, ensure_ascii=False).encode()

    return b"".join(one(event) + end for event in events)


@st.composite
def response_events(draw: st.DrawFn) -> list[dict[str, Any]]:
    """One round of Responses."""
    events: list[dict[str, Any]] = [{"type": "response.created"}]
    output: list[dict[str, Any]] = []
    for at, kind in enumerate(
        draw(st.lists(st.sampled_from(["message", "reasoning", "ours", "theirs"]), max_size=5))
    ):
        item: dict[str, Any] = {"type": kind, "id": f"i{at}"}
        if kind in ("ours", "theirs"):
            name = draw(st.sampled_from(OURS if kind == "ours" else THEIRS))
            item = {"type": "function_call", "id": f"i{at}", "call_id": f"c{at}", "name": name,
                    "arguments": json.dumps({"query": MARK if kind == "ours" else "x"})}  # fmt: skip
        where = {"output_index": at}
        if draw(st.booleans()):
            events.append({"type": "response.output_item.added", "item": item, **where})
        if item["type"] == "function_call" and draw(st.booleans()):
            events.append({"type": "response.function_call_arguments.delta",
                           "delta": item["arguments"], **where})  # fmt: skip
        if kind == "message":
            events.append({"type": "response.output_text.delta", "delta": "Hi", **where})
        events.append({"type": "response.output_item.done", "item": item, **where})
        output.append(item)
    end = draw(st.sampled_from(["completed", "completed", "failed", "error", "nothing"]))
    response = {"output": output, "usage": {"total_tokens": 1}, "status": end}
    if end == "error":
        events.append({"type": "error", "message": "overloaded"})
    elif end != "nothing":
        events.append({"type": f"response.{end}", "response": response})
    return events


def response_bytes(events: Sequence[dict[str, Any]], number: int, end: bytes) -> bytes:
    """The stream of a round, numbered."""
    numbered = [{**value, "sequence_number": at} for at, value in enumerate(events)]
    for value in numbered:
        if value["type"] == "response.created":
            value["response"] = {"id": f"r{number}"}
    return b"".join(b"data: " + json.dumps(value).encode() + end for value in numbered)


def cut(raw: bytes, cuts: Sequence[int]) -> Iterator[bytes]:
    """The bytes in chunks."""
    edges = sorted({0, len(raw), *(at % (len(raw) + 1) for at in cuts)})
    return (raw[start:end] for start, end in pairwise(edges))


def carried_out(
    merged: ChatRounds | ResponsesRounds, rounds: Sequence[bytes], cuts: Sequence[int]
) -> bytes:
    """What the client gets, as `ToolLoop` asks for it."""
    out = b""
    for number, raw in enumerate(rounds):
        splitter = EventSplitter()
        for chunk in cut(raw, cuts):
            out += b"".join(piece for event in splitter.feed(chunk) for piece in merged.take(event))
        out += b"".join(piece for event in splitter.end() for piece in merged.take(event))
        one = merged.round()
        if not one.ours(NAMES) or one.broken or number == len(rounds) - 1:
            return out + b"".join(merged.last())
        out += merged.answered()
    return out


def values(raw: bytes) -> list[dict[str, Any]]:
    return [event.value() for event in EventSplitter().feed(raw) if event.value()]


CUTS = st.lists(st.integers(0, 5000), max_size=12)


@settings(max_examples=300)
@given(st.lists(chat_events(), min_size=1, max_size=MOST_ROUNDS), ENDS, CUTS)
def test_chats(rounds: list[list[Any]], end: bytes, cuts: list[int]) -> None:
    """One id, one beginning, at most one end; all text in order; the client's own calls whole."""
    raws = [chat_bytes(events, number, end) for number, events in enumerate(rounds)]
    out = carried_out(ChatRounds(NAMES), raws, cuts)
    assert MARK.encode() not in out
    told = values(out)
    choices = [choice for value in told for choice in value.get("choices", [])]
    for choice in choices:
        for call in choice["delta"].get("tool_calls") or []:
            assert call["function"].get("name", "weather") in THEIRS
    assert sum(bool(choice["finish_reason"]) for choice in choices) <= 1
    assert sum("role" in choice["delta"] for choice in choices) <= 1
    assert len({value["id"] for value in told if "choices" in value}) <= 1
    sizes = [_seen(events) for events in rounds]
    shown = next((at for at, ours in enumerate(sizes) if not ours), len(rounds) - 1)
    texts = ["".join(_texts(events)) for events in rounds[: shown + 1]]
    said = "".join(choice["delta"].get("content") or "" for choice in choices)
    assert said == "\n\n".join(text for text in texts if text)
    if shown == 0 and not _mentions_ours(rounds[0]):
        assert out == raws[0]


def _texts(events: Sequence[Any]) -> Iterator[str]:
    return (event["content"] for event in events if isinstance(event, dict) and "content" in event)


def _mentions_ours(events: Sequence[Any]) -> bool:
    calls = [c for e in events if isinstance(e, dict) for c in e.get("tool_calls", [])]
    return any(call["function"].get("name") in OURS for call in calls)


def _seen(events: Sequence[Any]) -> bool:
    """Whether the calls of a round are run, and another one follows."""
    ends = any(isinstance(event, str) for event in events)
    return ends and _mentions_ours(events)


@settings(max_examples=300)
@given(st.lists(response_events(), min_size=1, max_size=MOST_ROUNDS), ENDS, CUTS)
def test_responses(rounds: list[list[dict[str, Any]]], end: bytes, cuts: list[int]) -> None:
    """Numbers without gaps, and items that are counted through; the bytes of an ordinary answer."""
    raws = [response_bytes(events, number, end) for number, events in enumerate(rounds)]
    out = carried_out(ResponsesRounds(NAMES), raws, cuts)
    assert MARK.encode() not in out
    told = values(out)
    if not any(event.get("item", {}).get("name") in OURS for event in rounds[0]):
        # An answer that ends without an end has no beginning either, if nothing was in it.
        assert out == raws[0]
        return
    numbers = [value["sequence_number"] for value in told]
    assert numbers == list(range(len(told)))
    assert sum(value["type"] == "response.created" for value in told) <= 1
    for value in told:
        items = [value.get("item"), *value.get("response", {}).get("output", [])]
        assert all(item.get("name", "weather") in THEIRS for item in items if item)
    places = list(dict.fromkeys(v["output_index"] for v in told if "output_index" in v))
    assert places == list(range(len(places)))
