"""The whole product in this process, between the real client and a server that calls tools."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from openai import AsyncOpenAI

from recollect.config import load_settings
from recollect.proxy.serve import build_runner
from tests.hostile.facing import IN_MEMORY
from tests.support.calling_upstream import CallingUpstream, Says
from tests.support.constants import apart, patched

Chatting = AbstractAsyncContextManager[tuple[AsyncOpenAI, CallingUpstream]]


@pytest.fixture
def chatting(tmp_path: Path) -> Callable[..., Chatting]:
    """A client of the product, and the server behind it, which takes these steps."""

    @contextlib.asynccontextmanager
    async def start(
        *steps: Says, **settings: Any
    ) -> AsyncIterator[tuple[AsyncOpenAI, CallingUpstream]]:
        chosen, constants = apart(settings)
        async with CallingUpstream(list(steps)) as upstream:
            environ = {
                "RECOLLECT_DATA_DIR": str(tmp_path),
                "RECOLLECT_UPSTREAM__BASE_URL": upstream.base_url,
                "RECOLLECT_TELEMETRY__METRICS": "localhost:0",
                "RECOLLECT_TOOLS__INJECT": "true",
                **IN_MEMORY,
                **{f"RECOLLECT_{name.upper()}": str(value) for name, value in chosen.items()},
            }
            runner = build_runner(load_settings(environ=environ))
            await runner.setup()
            try:
                await web.TCPSite(runner, "127.0.0.1", 0).start()
                url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
                with patched(constants):
                    async with AsyncOpenAI(base_url=url, api_key="k", max_retries=0) as client:
                        yield client, upstream
            finally:
                await runner.cleanup()

    return start
