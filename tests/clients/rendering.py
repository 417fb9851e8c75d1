"""A model's reply as Chat Completions and Responses send it, whole or streamed."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from aiohttp import web

USAGE = {"prompt_tokens": 9, "completion_tokens": 9, "total_tokens": 18}
RESPONSE_USAGE = {
    "input_tokens": 9,
    "output_tokens": 9,
    "total_tokens": 18,
    "input_tokens_details": {"cached_tokens": 0},
    "output_tokens_details": {"reasoning_tokens": 0},
}
_NUMBERS = itertools.count(1)
"""Of answers: LangGraph takes two messages of one id for the same message."""
DONE, BEGUN = {"status": "completed"}, {"status": "in_progress"}


@dataclass(frozen=True)
class Call:
    """The call of a tool."""

    id: str
    name: str
    arguments: str
    """JSON."""


@dataclass(frozen=True)
class Reply:
    """A text, calls of tools, or both; the text comes first."""

    text: str = ""
    calls: Sequence[Call] = ()


def as_chat(asked: Mapping[str, Any], reply: Reply) -> web.Response:
    """The answer to a chat request."""
    ended = "tool_calls" if reply.calls else "stop"
    base = {"id": f"chatcmpl-{next(_NUMBERS)}", "created": 1, "model": asked["model"]}
    calls = [_chat_call(call) for call in reply.calls]
    if not asked.get("stream"):
        message: dict[str, Any] = {"role": "assistant", "content": reply.text or None}
        message |= {"tool_calls": calls} if calls else {"content": reply.text}
        choice = {"index": 0, "message": message, "finish_reason": ended}
        whole = {**base, "object": "chat.completion", "choices": [choice], "usage": USAGE}
        return web.json_response(whole)
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": piece} for piece in _words(reply.text)]
    deltas += [{"tool_calls": [{"index": n, **call}]} for n, call in enumerate(calls)]
    choices = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
    choices.append({"index": 0, "delta": {}, "finish_reason": ended})
    base["object"] = "chat.completion.chunk"
    chunks = [{**base, "choices": [choice]} for choice in choices]
    if (asked.get("stream_options") or {}).get("include_usage"):
        chunks.append({**base, "choices": [], "usage": USAGE})
    return _events([f"data: {json.dumps(chunk)}" for chunk in chunks] + ["data: [DONE]"])


def as_response(asked: Mapping[str, Any], reply: Reply) -> web.Response:
    """The answer to a request for a response."""
    items = _items(reply)
    response = {
        "id": f"resp_{next(_NUMBERS)}", "object": "response", "created_at": 1, "model": asked["model"],
        "error": None, "incomplete_details": None, "instructions": None, "metadata": {},
        "parallel_tool_calls": True, "temperature": 1, "tool_choice": "auto", "top_p": 1,
        "tools": asked.get("tools") or [], "output": [item | DONE for item in items],
        "usage": RESPONSE_USAGE, **DONE,
    }  # fmt: skip
    if not asked.get("stream"):
        return web.json_response(response)
    begun = {**response, **BEGUN, "output": [], "usage": None}
    events = [
        {"type": "response.created", "response": begun},
        *(event for at, item in enumerate(items) for event in _item_events(at, item)),
        {"type": "response.completed", "response": response},
    ]
    numbered = [event | {"sequence_number": n} for n, event in enumerate(events)]
    return _events([f"event: {e['type']}\ndata: {json.dumps(e)}" for e in numbered])


def _chat_call(call: Call) -> dict[str, Any]:
    function = {"name": call.name, "arguments": call.arguments}
    return {"id": call.id, "type": "function", "function": function}


def _items(reply: Reply) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    if reply.text or not reply.calls:
        text = {"type": "output_text", "text": reply.text, "annotations": [], "logprobs": []}
        items.append({"id": "msg_1", "type": "message", "role": "assistant", "content": [text]})
    for call in reply.calls:
        item = {"id": f"fc_{call.id}", "type": "function_call", "call_id": call.id}
        items.append({**item, "name": call.name, "arguments": call.arguments})
    return items


def _item_events(at: int, item: dict[str, Any]) -> list[dict[str, Any]]:
    where = {"item_id": item["id"], "output_index": at}
    is_text = "content" in item
    empty = item | ({"content": []} if is_text else {"arguments": ""})
    between = _text_events(item["content"][0]) if is_text else _call_events(item)
    return [
        {"type": "response.output_item.added", "output_index": at, "item": empty | BEGUN},
        *(event | where for event in between),
        {"type": "response.output_item.done", "output_index": at, "item": item | DONE},
    ]


def _text_events(text: dict[str, Any]) -> Iterable[dict[str, Any]]:
    part = {"content_index": 0}
    yield {"type": "response.content_part.added", "part": text | {"text": ""}, **part}
    for word in _words(text["text"]):
        yield {"type": "response.output_text.delta", "delta": word, "logprobs": [], **part}
    yield {"type": "response.output_text.done", "text": text["text"], "logprobs": [], **part}
    yield {"type": "response.content_part.done", "part": text, **part}


def _call_events(item: dict[str, Any]) -> Iterable[dict[str, Any]]:
    kind, told = "response.function_call_arguments", item["arguments"]
    yield {"type": f"{kind}.delta", "delta": told}
    yield {"type": f"{kind}.done", "arguments": told, "name": item["name"]}


def _words(text: str) -> list[str]:
    return re.findall(r"\S+\s*", text)


def _events(events: list[str]) -> web.Response:
    return web.Response(text="\n\n".join(events) + "\n\n", content_type="text/event-stream")
