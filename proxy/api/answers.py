"""The answers of the memory API."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from aiohttp import web


@runtime_checkable
class Streamed(Protocol):
    """What a handler gives back for an answer that takes time: `answer` sends it, or waits."""

    async def answer(self, request: web.Request, headers: Mapping[str, str]) -> Any:
        """The answer, or its value as JSON can hold it. `headers` are for a streamed one."""


def json_answer(status: int, value: Any) -> web.Response:
    """A value as JSON."""
    body = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
    return web.Response(status=status, body=body, content_type="application/json")


def detail(status: int, message: str) -> web.Response:
    """A refusal or a failure, as clients of the memory API read it."""
    return json_answer(status, {"detail": message})
