"""An OpenAI-compatible server whose answers call tools, on order: both APIs, whole or in events."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from aiohttp import web
from aiohttp.test_utils import TestServer


@dataclass(frozen=True)
class Says:
    """One answer: a text, and calls as (name, arguments)."""

    text: str = ""
    calls: Sequence[tuple[str, Mapping[str, Any]]] = ()
    status: int = 200
    reasoning: bool = False
    """Whether an item of reasoning comes first (Responses)."""


@dataclass
class CallingUpstream:
    """Answers each request with the next step; the last one repeats."""

    steps: list[Says] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=2**24)
        app.router.add_post("/v1/chat/completions", self._chat)
        app.router.add_post("/v1/responses", self._responses)
        self._server = TestServer(app)
        await self._server.start_server()
        self.base_url = str(self._server.make_url("/v1"))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._server.close()

    async def _step(self, request: web.Request) -> tuple[dict[str, Any], Says]:
        body = await request.json()
        self.requests.append(body)
        return body, self.steps.pop(0) if len(self.steps) > 1 else self.steps[0]

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        body, step = await self._step(request)
        number = len(self.requests)
        if step.status >= 400:
            return _refused(step)
        if not body.get("stream"):
            return web.json_response(_completion(step, number))
        with_usage = (body.get("stream_options") or {}).get("include_usage", False)
        return await _sent(request, _chat_events(step, number, with_usage=with_usage), done=True)

    async def _responses(self, request: web.Request) -> web.StreamResponse:
        body, step = await self._step(request)
        number = len(self.requests)
        if step.status >= 400:
            return _refused(step)
        if not body.get("stream"):
            return web.json_response(_response(step, number))
        return await _sent(request, _response_events(step, number), done=False)


def _refused(step: Says) -> web.Response:
    error = {"message": "no tools here", "type": "invalid_request_error", "code": "tools"}
    return web.json_response({"error": error}, status=step.status)


async def _sent(
    request: web.Request, events: Iterator[dict[str, Any]], *, done: bool
) -> web.StreamResponse:
    answer = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await answer.prepare(request)
    for event in events:
        name = f"event: {event['type']}\n" if "type" in event else ""
        await answer.write(f"{name}data: {json.dumps(event)}\n\n".encode())
    if done:
        await answer.write(b"data: [DONE]\n\n")
    await answer.write_eof()
    return answer


USAGE = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110,
         "prompt_tokens_details": {"cached_tokens": 40}}  # fmt: skip
RESPONSE_USAGE = {"input_tokens": 100, "input_tokens_details": {"cached_tokens": 40},
                  "output_tokens": 10, "output_tokens_details": {"reasoning_tokens": 0},
                  "total_tokens": 110}  # fmt: skip


def _calls(step: Says, number: int) -> list[dict[str, Any]]:
    return [
        {
            "id": f"call_{number}_{at}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)},
        }
        for at, (name, arguments) in enumerate(step.calls)
    ]


def _completion(step: Says, number: int) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": step.text or None}
    if step.calls:
        message["tool_calls"] = _calls(step, number)
    choice = {
        "index": 0,
        "message": message,
        "finish_reason": "tool_calls" if step.calls else "stop",
    }
    return {"id": f"chatcmpl-{number}", "object": "chat.completion", "created": number,
            "model": "m", "choices": [choice], "usage": USAGE}  # fmt: skip


def _chat_events(step: Says, number: int, *, with_usage: bool) -> Iterator[dict[str, Any]]:
    def event(delta: dict[str, Any] | None, finish: str | None = None) -> dict[str, Any]:
        choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
        return {"id": f"chatcmpl-{number}", "object": "chat.completion.chunk", "created": number,
                "model": "m", "choices": choices}  # fmt: skip

    yield event({"role": "assistant", "content": ""})
    for word in step.text.split(" ") if step.text else ():
        yield event({"content": word + " "})
    for at, call in enumerate(_calls(step, number)):
        function = call["function"]
        yield event(
            {"tool_calls": [{**call, "index": at, "function": {**function, "arguments": ""}}]}
        )
        text = function["arguments"]
        for piece in (text[: len(text) // 2], text[len(text) // 2 :]):
            yield event({"tool_calls": [{"index": at, "function": {"arguments": piece}}]})
    yield event({}, "tool_calls" if step.calls else "stop")
    if with_usage:
        yield {**event(None), "usage": USAGE}


def _items(step: Says, number: int) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = []
    if step.reasoning:
        items.append({"type": "reasoning", "id": f"rs_{number}", "summary": []})
    if step.text:
        part = {"type": "output_text", "text": step.text, "annotations": []}
        items.append({"type": "message", "id": f"msg_{number}", "role": "assistant",
                      "status": "completed", "content": [part]})  # fmt: skip
    items += [
        {"type": "function_call", "id": f"fc_{number}_{at}", "call_id": f"call_{number}_{at}",
         "name": name, "arguments": json.dumps(arguments), "status": "completed"}
        for at, (name, arguments) in enumerate(step.calls)
    ]  # fmt: skip
    return items


def _response(step: Says, number: int, **changes: Any) -> dict[str, Any]:
    return {
        "id": f"resp_{number}", "object": "response", "created_at": number, "model": "m",
        "status": "completed", "output": _items(step, number), "usage": RESPONSE_USAGE,
        "parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "error": None,
        "incomplete_details": None, "instructions": None, "metadata": {}, "temperature": 1.0,
        "top_p": 1.0, **changes,
    }  # fmt: skip


def _response_events(step: Says, number: int) -> Iterator[dict[str, Any]]:
    sequence = iter(range(1000))

    def event(kind: str, **fields: Any) -> dict[str, Any]:
        return {"type": kind, "sequence_number": next(sequence), **fields}

    begun = _response(step, number, status="in_progress", output=[], usage=None)
    yield event("response.created", response=begun)
    yield event("response.in_progress", response=begun)
    for at, item in enumerate(_items(step, number)):
        here: dict[str, Any] = {"output_index": at, "item_id": item["id"]}
        yield event("response.output_item.added", output_index=at,
                    item={**item, "content": []} if item["type"] == "message" else item)  # fmt: skip
        if item["type"] == "message":
            part = item["content"][0]
            yield event("response.content_part.added", content_index=0,
                        part={**part, "text": ""}, **here)  # fmt: skip
            for word in step.text.split(" "):
                yield event("response.output_text.delta", content_index=0, delta=word + " ",
                            logprobs=[], **here)  # fmt: skip
            yield event("response.output_text.done", content_index=0, text=step.text,
                        logprobs=[], **here)  # fmt: skip
            yield event("response.content_part.done", content_index=0, part=part, **here)
        if item["type"] == "function_call":
            text = item["arguments"]
            yield event("response.function_call_arguments.delta", delta=text, **here)
            yield event("response.function_call_arguments.done", arguments=text,
                        name=item["name"], **here)  # fmt: skip
        yield event("response.output_item.done", output_index=at, item=item)
    yield event("response.completed", response=_response(step, number))
