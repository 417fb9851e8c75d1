"""The tools and texts of a proxy that runs, over its `/mcp`. Of several versions it asks in one."""

from __future__ import annotations

import itertools
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import aiohttp

from recollect.memory.model.errors import NotFoundError, RecollectError, StoreError
from recollect.memory.tools import ToolAnswer

from .desk import Shown

VERSION = {"MCP-Protocol-Version": "2025-11-25"}
"""Nothing has to be said before: each request of `/mcp` stands alone."""
CONNECT_SECONDS = 5.0
READ_SECONDS = 600.0
"""A tool that asks a model takes minutes."""
_NO_SUCH_RESOURCE = -32002


class NoProxyError(RecollectError):
    """The proxy does not answer, or refuses; the message says why."""

    code = "no_proxy"


class ProxiedDesk:
    """A desk whose work is done by a proxy."""

    def __init__(self, http: aiohttp.ClientSession, url: str) -> None:
        """`http` sends the credential; `url` names the scope."""
        self._http = http
        self._url = url
        self._numbers = itertools.count(1)
        self.tools: Sequence[Shown] = ()
        """Those that the proxy had at the start."""

    async def greet(self) -> None:
        """Ask for the tools. Raises NoProxyError."""
        self.tools = (await self._ask("tools/list"))["tools"]

    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        try:
            found = await self._ask("tools/call", name=name, arguments=arguments)
        except (RecollectError, NotFoundError) as error:
            return ToolAnswer({}, str(error))
        if not found.get("isError"):
            return ToolAnswer(found["structuredContent"])
        return ToolAnswer({}, _error_in("".join(part["text"] for part in found["content"])))

    async def readings(self) -> Sequence[Shown]:
        found: Sequence[Shown] = (await self._ask("resources/list"))["resources"]
        return found

    async def read(self, uri: str) -> str:
        found = await self._ask("resources/read", uri=uri)
        return "".join(each["text"] for each in found["contents"])

    async def _ask(self, method: str, **params: Any) -> Any:
        """The result. Raises NoProxyError, NotFoundError, StoreError."""
        asked = {"jsonrpc": "2.0", "id": next(self._numbers), "method": method, "params": params}
        try:
            async with self._http.post(self._url, json=asked, headers=VERSION) as response:
                answer = await response.json()
        except (aiohttp.ClientError, TimeoutError, ValueError) as error:
            raise NoProxyError(f"the proxy does not answer: {error}") from None
        if "error" not in answer:
            return answer["result"]
        told = answer["error"]["message"]
        if response.status != 200:  # noqa: PLR2004 - HTTP's word for success
            raise NoProxyError(f"the proxy says: {told}")
        if answer["error"]["code"] == _NO_SUCH_RESOURCE:
            raise NotFoundError(told)
        raise StoreError(told)


@asynccontextmanager
async def proxied(url: str, headers: Mapping[str, str]) -> AsyncIterator[ProxiedDesk]:
    """The desk of a proxy, after it has answered. Raises NoProxyError."""
    timeout = aiohttp.ClientTimeout(
        total=None, sock_connect=CONNECT_SECONDS, sock_read=READ_SECONDS
    )
    accepted = {"Accept": "application/json, text/event-stream", **headers}
    async with aiohttp.ClientSession(timeout=timeout, headers=accepted) as http:
        desk = ProxiedDesk(http, url)
        await desk.greet()
        yield desk


def _error_in(text: str) -> str:
    """What a tool's answer says went wrong."""
    try:
        return str(json.loads(text)["error"])
    except (ValueError, KeyError, TypeError):
        return text
