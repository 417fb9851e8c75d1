"""A product whose graph cannot be used: all else goes on, and /readyz says what is missing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from recollect.proxy.app import build_app

from .test_app import settings
from .test_app import upstream as upstream  # noqa: PLC0414 - a fixture

SISTER = {"messages": "My sister Anna lives in Oslo", "user_id": "alice", "infer": False}


async def used(client: TestClient[web.Request, web.Application]) -> dict[str, Any]:
    """Add, list, search and chat: all of it works. Returns what `/readyz` says then."""
    added = await client.post("/v1/memories/", json=SISTER)
    assert added.status == 200
    listed = await (await client.get("/v1/memories/", params={"user_id": "alice"})).json()
    assert [each["memory"] for each in listed["results"]] == [SISTER["messages"]]
    body = {"model": "m", "messages": [{"role": "user", "content": "Where does Anna live?"}]}
    assert (await client.post("/v1/chat/completions", json=body)).status == 200
    [memory] = listed["results"]
    assert (await client.delete(f"/v1/memories/{memory['id']}/")).status in {200, 204}
    return dict(await (await client.get("/readyz")).json())


async def test_nothing_waits_for_a_graph_that_cannot_be_opened(
    tmp_path: Path, upstream: TestServer
) -> None:
    """Here something else has its name."""
    data = tmp_path / "data"
    (data / "graph.db").mkdir(parents=True)
    async with TestClient(TestServer(build_app(settings(data, upstream)))) as client:
        ready = await used(client)
    assert ready["status"] == "degraded"
    assert ready["parts"]["graph"] == "state_unavailable"
    others = {name: word for name, word in ready["parts"].items() if name != "graph"}
    assert set(others.values()) <= {"ok", "upkeep_rests", "said_only"}
    assert str(tmp_path) not in str(ready)


async def test_a_damaged_graph_is_whole_after_the_start(
    tmp_path: Path, upstream: TestServer, caplog: pytest.LogCaptureFixture
) -> None:
    """It is kept under another name, which the log tells; unwanted, it is no part of the product."""
    data = tmp_path / "data"
    data.mkdir()
    (data / "graph.db").write_bytes(b"not a database " * 500)
    async with TestClient(TestServer(build_app(settings(data, upstream)))) as client:
        ready = await used(client)
    assert ready["parts"]["graph"] == "ok"
    [kept] = data.glob("graph.db.corrupt-*")
    assert kept.name in caplog.text
    off = settings(data, upstream, graph__enabled="false")
    async with TestClient(TestServer(build_app(off))) as client:
        ready = await used(client)
    assert "graph" not in ready["parts"]
    assert ready["status"] == "ok"
