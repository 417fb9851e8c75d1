"""The OpenAI client is configured by us and by nothing else."""

from __future__ import annotations

import threading
from typing import Any

import openai
import pytest
from aiohttp import web

from recollect.memory.util.openai_client import NO_KEY, OPENAI_BASE_URL, describe, open_client


async def test_nothing_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """URL, key, organisation, project and headers are ours whatever the environment says."""
    for name in ("BASE_URL", "API_KEY", "ORG_ID", "PROJECT_ID"):
        monkeypatch.setenv(f"OPENAI_{name}", "http://elsewhere.invalid/v1")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "Authorization: Bearer elsewhere")
    client = await open_client(base_url=None, api_key=None, timeout_seconds=1, max_retries=0)
    assert str(client.base_url).rstrip("/") == OPENAI_BASE_URL
    assert client.api_key == NO_KEY
    assert client.organization is None
    assert client.project is None
    assert "elsewhere" not in str(client.default_headers)
    await client.close()


async def test_it_is_made_in_a_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading certificates and importing resources takes a tenth of a second, not the loop's."""
    made_in: list[int] = []
    plain = openai.AsyncOpenAI.__init__

    def noted(self: openai.AsyncOpenAI, **options: Any) -> None:
        made_in.append(threading.get_ident())
        plain(self, **options)

    monkeypatch.setattr(openai.AsyncOpenAI, "__init__", noted)
    client = await open_client(base_url=None, api_key=None, timeout_seconds=1, max_retries=0)
    await client.close()
    assert len(made_in) == 1
    assert made_in != [threading.get_ident()]


async def test_a_cookie_is_not_sent_back(aiohttp_server: Any) -> None:
    """A server that sets a cookie knows no later call by it."""
    seen: list[str | None] = []

    async def answer(request: web.Request) -> web.Response:
        seen.append(request.headers.get("Cookie"))
        return web.json_response({"object": "list", "data": []}, headers={"Set-Cookie": "a=b"})

    app = web.Application()
    app.router.add_get("/v1/models", answer)
    server = await aiohttp_server(app)
    client = await open_client(
        base_url=str(server.make_url("/v1")), api_key=None, timeout_seconds=9, max_retries=0
    )
    for _ in range(2):
        await client.models.list()
    await client.close()
    assert seen == [None, None]


def test_errors_are_described_without_their_text() -> None:
    """What a server said may repeat the key; only the kind and the status are told."""
    error = ValueError("sk-secret")
    error.status_code = 401  # type: ignore[attr-defined]
    assert describe(error) == "ValueError (HTTP 401)"
    assert describe(ValueError("sk-secret")) == "ValueError"
