"""An OpenAI-compatible model that answers from a script: what an extractor returns, on order."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Mapping
from typing import Any, Self

from aiohttp import web
from aiohttp.test_utils import TestServer

Reply = str | dict[str, Any] | int | Callable[[dict[str, Any]], Any]


def facts(*texts: str, kind: str = "semantic", more: Mapping[str, Any] | None = None) -> str:
    """An extractor's answer with these facts; each quotes its end, as people speak of "I".

    `more` is what it has of a fact besides, such as `entities`, by the fact.
    """
    known = more or {}
    return json.dumps(
        {
            "facts": [
                {"type": kind, "text": text, "quote": _end(text), **known.get(text, {})}
                for text in texts
            ]
        }
    )


def _end(text: str) -> str:
    """Of "User likes tea" what stands in "I like tea" as well."""
    return " ".join(text.split()[2:]) or text


class ScriptedModel:
    """Answers each call with the next reply; the last one repeats.

    A reply is the message's text, a whole message, an HTTP status, or a function of the request.
    """

    def __init__(self, *replies: Reply) -> None:
        self.replies: list[Reply] = list(replies) or [facts()]
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        """Of each request, their names in lower case."""

    async def __aenter__(self) -> Self:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", self._complete)
        self._server = TestServer(app)
        await self._server.start_server()
        self.base_url = str(self._server.make_url("/v1"))
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._server.close()

    def said(self) -> str:
        """Everything that was ever sent to it, for asserting what must never be."""
        return json.dumps(self.requests, ensure_ascii=False)

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        self.requests.append(body)
        self.headers.append({name.lower(): value for name, value in request.headers.items()})
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if callable(reply):
            reply = reply(body)
        if inspect.isawaitable(reply):
            reply = await reply
        if isinstance(reply, web.StreamResponse):
            return reply
        if isinstance(reply, int):
            return web.json_response({"error": {"message": "scripted"}}, status=reply)
        message = {"content": reply} if isinstance(reply, str) else reply
        if body.get("stream"):
            return await _streamed(request, message)
        return web.json_response(
            {
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "created": 0,
                "model": "scripted",
                "choices": [
                    {
                        "index": 0,
                        "finish_reason": "stop",
                        "message": {"role": "assistant", **message},
                    }
                ],
                "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
            }
        )


async def _streamed(request: web.Request, message: dict[str, Any]) -> web.StreamResponse:
    """The same in events, of a few characters each."""
    answer = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await answer.prepare(request)
    text = message["content"]
    about = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "scripted"}
    deltas = [{"content": text[at : at + 7]} for at in range(0, len(text), 7)]
    rows = [(delta, None) for delta in deltas] + [({}, "stop")]
    chunks = [
        about | {"choices": [{"index": 0, "delta": delta, "finish_reason": end}]}
        for delta, end in rows
    ]
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    chunks.append(about | {"choices": [], "usage": usage})
    for chunk in chunks:
        await answer.write(f"data: {json.dumps(chunk)}\n\n".encode())
    await answer.write(b"data: [DONE]\n\n")
    await answer.write_eof()
    return answer
