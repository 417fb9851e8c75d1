"""A server of the Messages API, as its documentation has it, that keeps what it was asked."""

from __future__ import annotations

import json
from typing import Any, Self

from aiohttp import web
from aiohttp.test_utils import TestServer

VERSION = "anthropic-version"


class MessagesUpstream:
    """Answers with the next of `texts`; the last one repeats. A call is (name, input)."""

    def __init__(self, *answers: str | tuple[str, dict[str, Any]]) -> None:
        self.answers = list(answers) or ["ok"]
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_post("/v1/messages", self._answer)
        app.router.add_route("*", "/{rest:.*}", self._other)
        self._server = TestServer(app)
        await self._server.start_server()
        self.base_url = str(self._server.make_url("/v1"))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._server.close()

    def said(self, number: int = -1) -> str:
        """All texts of a request's messages and instructions."""
        return json.dumps(self.requests[number], ensure_ascii=False)

    async def _other(self, request: web.Request) -> web.Response:
        self.paths.append(request.path)
        if request.path.endswith("/count_tokens"):
            return web.json_response({"input_tokens": 7})
        return web.json_response({"data": [], "has_more": False})

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.paths.append(request.path)
        self.requests.append(body)
        self.headers.append({name.lower(): value for name, value in request.headers.items()})
        if VERSION not in self.headers[-1] or "max_tokens" not in body:
            return self._refused(400, "invalid_request_error", "max_tokens: Field required")
        # Older clients send `x-api-key`.
        if "wrong" in self.headers[-1].get("authorization", self.headers[-1].get("x-api-key", "")):
            return self._refused(401, "authentication_error", "invalid x-api-key")
        _check_order(body)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        block = _block(answer)
        whole = {
            "id": f"msg_{len(self.requests)}",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": [block],
            "stop_reason": "tool_use" if block["type"] == "tool_use" else "end_turn",
            "stop_sequence": None,
            "usage": {
                "input_tokens": 10,
                "cache_creation_input_tokens": 0,
                "cache_read_input_tokens": 2,
                "output_tokens": 5,
            },
        }
        if not body.get("stream"):
            return web.json_response(whole)
        return await self._streamed(request, whole, block)

    async def _streamed(
        self, request: web.Request, whole: dict[str, Any], block: dict[str, Any]
    ) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        for event in _events(whole, block):
            data = json.dumps(event)
            await response.write(f"event: {event['type']}\ndata: {data}\n\n".encode())
        return response

    @staticmethod
    def _refused(status: int, kind: str, message: str) -> web.Response:
        error = {"type": "error", "error": {"type": kind, "message": message}}
        return web.json_response(error, status=status)


def _check_order(body: dict[str, Any]) -> None:
    """What the API refuses: a foreign role, results behind text, more than four cache marks."""
    marks = json.dumps(body).count('"cache_control"')
    assert marks <= 4, f"{marks} cache marks"
    for message in body["messages"]:
        assert message["role"] in {"user", "assistant"}, message["role"]
        if isinstance(message["content"], list):
            kinds = [part["type"] == "tool_result" for part in message["content"]]
            assert kinds == sorted(kinds, reverse=True), "results come first"


def _block(answer: str | tuple[str, dict[str, Any]]) -> dict[str, Any]:
    if isinstance(answer, str):
        return {"type": "text", "text": answer}
    name, given = answer
    return {"type": "tool_use", "id": "toolu_1", "name": name, "input": given}


def _events(whole: dict[str, Any], block: dict[str, Any]) -> list[dict[str, Any]]:
    start = {**whole, "content": [], "stop_reason": None}
    return [
        {"type": "message_start", "message": start},
        {"type": "ping"},
        *_block_events(block),
        {
            "type": "message_delta",
            "delta": {"stop_reason": whole["stop_reason"], "stop_sequence": None},
            "usage": {"output_tokens": 5},
        },
        {"type": "message_stop"},
    ]


def _block_events(block: dict[str, Any]) -> list[dict[str, Any]]:
    if block["type"] == "text":
        empty, kind, key = {**block, "text": ""}, "text_delta", "text"
        pieces = [word + " " for word in block["text"].split(" ")]
        pieces[-1] = pieces[-1].removesuffix(" ")
    else:
        empty, kind, key = {**block, "input": {}}, "input_json_delta", "partial_json"
        written = json.dumps(block["input"])
        pieces = [written[:3], written[3:]]
    return [
        {"type": "content_block_start", "index": 0, "content_block": empty},
        *(
            {"type": "content_block_delta", "index": 0, "delta": {"type": kind, key: piece}}
            for piece in pieces
        ),
        {"type": "content_block_stop", "index": 0},
    ]
