"""A request of aiohttp as one of ASGI, which the library of the protocol takes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

Message = MutableMapping[str, Any]
AsgiApp = Callable[
    [Message, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]],
    Awaitable[None],
]


@dataclass(slots=True)
class Exchanged:
    """The answer of an ASGI application, which is whole."""

    status: int = 500
    headers: list[tuple[str, str]] = field(default_factory=list)
    body: bytearray = field(default_factory=bytearray)


async def exchange(
    app: AsgiApp, request: web.Request, body: bytes, extra: Mapping[str, Any]
) -> Exchanged:
    """What the application answers to the request with this body.

    `extra` are further values of the ASGI scope. The application learns of a client that leaves by
    a cancellation, as every handler here does.
    """
    answer, asked = Exchanged(), [body]

    async def receive() -> Message:
        if asked:
            return {"type": "http.request", "body": asked.pop(), "more_body": False}
        await asyncio.Event().wait()
        raise AssertionError  # nobody sets the event

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            answer.status = message["status"]
            answer.headers = [
                (name.decode("latin-1"), value.decode("latin-1"))
                for name, value in message.get("headers", ())
            ]
        elif message["type"] == "http.response.body":
            answer.body += message.get("body", b"")

    await app({**_scope(request), **extra}, receive, send)
    return answer


def _scope(request: web.Request) -> dict[str, Any]:
    url = request.rel_url
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": f"{request.version.major}.{request.version.minor}",
        "method": request.method,
        "scheme": "http",
        "path": url.path,
        "raw_path": url.raw_path.encode(),
        "root_path": "",
        "query_string": url.raw_query_string.encode(),
        "headers": [(name.lower(), value) for name, value in request.raw_headers],
        "client": (request.remote or "", 0),
        "server": ("", 0),
    }
