"""A server of Ollama's chat API, as its documentation has it, that keeps what it was asked."""

from __future__ import annotations

import json
from typing import Any, Self

from aiohttp import web
from aiohttp.test_utils import TestServer


class OllamaUpstream:
    """Answers with the next of `answers`; the last one repeats. A call is (name, arguments)."""

    def __init__(self, *answers: str | tuple[str, dict[str, Any]]) -> None:
        self.answers = list(answers) or ["ok"]
        self.requests: list[dict[str, Any]] = []
        self.paths: list[str] = []

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_post("/api/chat", self._answer)
        app.router.add_get("/api/tags", self._tags)
        self._server = TestServer(app)
        await self._server.start_server()
        self.root = str(self._server.make_url("/")).rstrip("/")
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._server.close()

    async def _tags(self, request: web.Request) -> web.Response:
        self.paths.append(request.path)
        return web.json_response({"models": [{"name": "tiny", "model": "tiny"}]})

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.paths.append(request.path)
        self.requests.append(body)
        if body["model"] == "unknown":
            return web.json_response({"error": "model 'unknown' not found"}, status=404)
        for message in body["messages"]:
            assert isinstance(message["content"], str)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        told = [{**_ABOUT, "message": one, "done": False} for one in _messages(answer)]
        end = {**_ABOUT, "message": {"role": "assistant", "content": ""}, "done": True, **_COUNTS}
        if body.get("stream") is False:
            [message, *rest] = [one["message"] for one in told]
            for one in rest:
                message["content"] += one["content"]
            return web.json_response({**end, "message": message})
        response = web.StreamResponse(headers={"Content-Type": "application/x-ndjson"})
        await response.prepare(request)
        for line in (*told, end):
            await response.write(json.dumps(line).encode() + b"\n")
        return response


_ABOUT = {"model": "tiny", "created_at": "2026-01-01T00:00:00Z"}
_COUNTS = {"done_reason": "stop", "total_duration": 5, "prompt_eval_count": 7, "eval_count": 3}


def _messages(answer: str | tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    if isinstance(answer, str):
        words = answer.split(" ")
        pieces = [*(f"{word} " for word in words[:-1]), words[-1]]
        return [{"role": "assistant", "content": piece} for piece in pieces]
    name, arguments = answer
    call = {"function": {"name": name, "arguments": arguments}}
    return [{"role": "assistant", "content": "", "tool_calls": [call]}]
