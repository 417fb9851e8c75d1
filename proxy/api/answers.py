"""The answers of the memory API."""

from __future__ import annotations

import json
from typing import Any, Protocol, runtime_checkable

from aiohttp import web

from .outlet import Outlet

JSON = "application/json"


@runtime_checkable
class Streamed(Protocol):
    """What a handler gives back for an answer that takes time: `answer` sends it, or waits."""

    load: str
    """What it costs while it lasts: a value of `sending.Load`."""

    async def answer(self, outlet: Outlet) -> Any:
        """The answer, sent by the outlet, or a value as JSON can hold it.

        Raises ConnectionError: the client has left.
        """


def json_answer(status: int, value: Any) -> web.Response:
    """A value as JSON."""
    return web.Response(status=status, body=encoded(value), content_type=JSON)


def encoded(value: Any) -> bytes:
    """The bytes of a value as JSON."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")


def detail(status: int, message: str) -> web.Response:
    """A refusal or a failure, as clients of the memory API read it."""
    return json_answer(status, {"detail": message})
