"""The proxy with parts in memory, and the official client of MCP to ask it with."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from aiohttp import web
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from recollect.memory import AsyncMemory
from recollect.proxy.app import HANDLERS
from recollect.proxy.serve import build_runner
from tests.support.composing import settings

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
        async with httpx2.AsyncClient(headers=headers or {}, timeout=60) as http:
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
