"""The proxy with parts in memory, and the official client of MCP to ask it with."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from aiohttp import ClientSession, web
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from recollect.memory import AsyncMemory
from recollect.proxy.app import HANDLERS
from recollect.proxy.serve import build_runner
from tests.support.composing import settings
from tests.support.waiting import HANG_SECONDS

MODES = ("legacy", "2026-07-28")
"""A client that shakes hands, and one whose requests stand alone."""


class Serving:
    """A proxy that runs."""

    def __init__(self, runner: web.AppRunner) -> None:
        self.runner = runner
        self.base = f"http://127.0.0.1:{runner.addresses[0][1]}"
        self.engine = runner.app[HANDLERS].api.engine
        self.endpoint = runner.app[HANDLERS].mcp

    def memory(self, tenant: str = "local") -> AsyncMemory:
        """What a tenant has."""
        return AsyncMemory(self.engine, tenant=tenant)

    @asynccontextmanager
    async def client(
        self,
        query: str = "",
        *,
        mode: str = "legacy",
        headers: dict[str, str] | None = None,
        **more: Any,
    ) -> AsyncIterator[Client]:
        """The official client, connected."""
        async with httpx2.AsyncClient(headers=headers or {}, timeout=HANG_SECONDS) as http:
            transport = streamable_http_client(f"{self.base}/mcp{query}", http_client=http)
            async with Client(transport, mode=mode, **more) as client:
                yield client


@asynccontextmanager
async def serving(tmp_path: Any, **flags: Any) -> AsyncIterator[Serving]:
    """The proxy with these options, by their names with `__`."""
    runner = build_runner(settings(tmp_path, **flags))
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield Serving(runner)
    finally:
        await runner.cleanup()


@asynccontextmanager
async def held(context: Any) -> AsyncIterator[Any]:
    """What a context gives, entered and left in one task: a fixture is begun and ended in two."""
    ready, done = asyncio.get_running_loop().create_future(), asyncio.Event()

    async def hold() -> None:
        async with context as found:
            ready.set_result(found)
            await done.wait()

    task = asyncio.ensure_future(hold())
    await asyncio.wait({task, ready}, return_when=asyncio.FIRST_COMPLETED)
    try:
        if not task.done():
            yield ready.result()
    finally:
        done.set()
        await task


async def rpc(
    proxy: Serving,
    method: str,
    *,
    user: str = "ada",
    headers: dict[str, str] | None = None,
    number: int | None = 1,
    **params: Any,
) -> tuple[int, Any, Any]:
    """Status, headers and value of a request that is written by hand; no number: no answer."""
    asked = {"jsonrpc": "2.0", "method": method, "params": params}
    if number is not None:
        asked["id"] = number
    sent = {"Accept": "application/json, text/event-stream", **(headers or {})}
    async with (
        ClientSession() as http,
        http.post(f"{proxy.base}/mcp?user_id={user}", json=asked, headers=sent) as answer,
    ):
        raw = await answer.read()
        return answer.status, answer.headers, json.loads(raw) if raw else None
