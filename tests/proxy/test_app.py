"""The composition root: what is served where, and what a start does with broken parts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import asyncpg
import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from recollect.config import Settings, load_settings
from recollect.memory.engine.options import MilvusIndexOptions
from recollect.proxy.app import build_app
from recollect.proxy.chat import warming
from tests.support.folding import rows
from tests.support.ports import free_port
from tests.support.postgres_server import empty_database
from tests.support.sqlite_io import CODES, failing_files, library
from tests.support.waiting import until


@pytest.fixture
async def upstream():
    """A model server that says which path it was asked for."""

    async def echo(request: web.Request) -> web.Response:
        said = {"path": request.path_qs, "method": request.method}
        if request.method == "POST":
            message = {"role": "assistant", "content": "I see."}
            said |= {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}
        return web.json_response(said)

    app = web.Application()
    app.router.add_route("*", "/{path:.*}", echo)
    async with TestServer(app) as server:
        yield server


def settings(data_dir: Path, upstream: TestServer, **flags: Any) -> Settings:
    return load_settings(
        environ={},
        flags={
            "data_dir": str(data_dir),
            "upstream.base_url": str(upstream.make_url("/v1")),
            "telemetry.metrics": "localhost:0",
            "embedder.backend": "fake",
            "index.backend": "exact",
            **{key.replace("__", "."): value for key, value in flags.items()},
        },
    )


async def test_ours_is_ours_and_the_rest_goes_upstream(tmp_path, upstream):
    """Health and memory are answered here; everything else, known or not, is the upstream's.

    Upkeep that rests without a model is told, and is no degradation. What the product makes below data_dir cannot be read by others.
    """
    data = tmp_path / "data"
    async with TestClient(TestServer(build_app(settings(data, upstream)))) as client:
        assert not [p for p in [data, *data.iterdir()] if p.stat().st_mode & 0o077]
        assert (await (await client.get("/healthz")).json()) == {"status": "ok"}
        ready = await (await client.get("/readyz")).json()
        assert (ready["status"], ready["parts"]["upkeep"]) == ("ok", "upkeep_rests")
        assert "episode" in ready["advice"]["upkeep"]
        listed = await client.get("/v1/memories/", params={"user_id": "alice"})
        assert await listed.json() == {"results": []}
        for path in ("/v1/models", "/v1/memoriesque", "/v1/chat/completions", "/metric?x=1", "/"):
            assert (await (await client.get(path)).json())["path"] == path
        put = await client.put("/v2/tomorrow")
        assert await put.json() == {"path": "/v2/tomorrow", "method": "PUT"}


async def test_parts_can_be_switched_off(tmp_path, upstream):
    """Paths of the memory API are a 404 that names the setting, and never go upstream.

    Without learning nothing is captured, and chats pass.
    """
    app = build_app(settings(tmp_path, upstream, api__enabled=False))
    async with TestClient(TestServer(app)) as client:
        answer = await client.get("/v1/memories/")
        assert answer.status == 404
        assert "api.enabled" in (await answer.json())["detail"]
    app = build_app(settings(tmp_path, upstream, learn__enabled=False))
    async with TestClient(TestServer(app)) as client:
        body = {"model": "m", "messages": [{"role": "user", "content": "I moved to Oslo"}]}
        assert (await client.post("/v1/chat/completions", json=body)).status == 200
        said = await (await client.post("/v1/memories/flush")).json()
        assert (said["jobs"], said["events"], said["waiting"]) == ({}, {}, {})


PAID = {"embedder__backend": "openai", "embedder__base_url": "http://127.0.0.1:9/v1"}


@rows("embedder, warmed", [({}, [True]), (PAID, [])])
async def test_recalls_are_tried_before_the_first_request(
    tmp_path, upstream, monkeypatch, embedder, warmed
):
    """No chat finds cold parts; but calls that cost money wait."""
    listening, seen = [], []

    async def warm_up(filters, inner=warming.warm_up):
        await inner(filters)
        seen.append(not listening)

    monkeypatch.setattr("recollect.proxy.chat.pipeline.warm_up", warm_up)
    # An empty database, too, is for the embedder that opened it first.
    data = tmp_path / embedder.get("embedder__backend", "fake")
    app = build_app(settings(data, upstream, **embedder))
    async with TestClient(TestServer(app)) as client:
        listening.append(True)
        assert (await client.get("/healthz")).status == 200
        assert (await (await client.get("/readyz")).json())["recall"]["kept"] == 0
    assert seen == warmed


@pytest.mark.process
async def test_chats_go_on_with_a_damaged_database(tmp_path, upstream):
    """Nothing is renamed or begun in its place; what is not kept is refused, counted and named."""
    file = tmp_path / "recollect.db"
    file.write_bytes(b"not a database " * 500)
    app = build_app(settings(tmp_path, upstream))
    async with TestClient(TestServer(app)) as client:
        for number in range(2):
            body = {"model": "m", "messages": [{"role": "user", "content": f"I moved {number}"}]}
            chat = await client.post("/v1/chat/completions", json=body)
            assert (await chat.json())["path"] == "/v1/chat/completions"
        ready = await (await client.get("/readyz")).json()
        tea = {"messages": "tea", "user_id": "a", "infer": False}
        told = await client.post("/v1/memories/", json=tea)
    assert ready["status"] == "degraded"
    assert ready["parts"]["database"] == "state_damaged"
    assert "recollect repair" in ready["advice"]["database"]
    assert ready["jobs"]["lost"] == 2
    assert told.status == 503
    assert list(file.parent.glob(f"{file.name}*")) == [file]
    assert file.read_bytes() == b"not a database " * 500


@pytest.fixture
def needs_an_index(monkeypatch):
    """As with thousands of memories: the index is opened at once, and each recall asks it."""
    monkeypatch.setattr("recollect.memory.engine.opening.FEW", 0)
    monkeypatch.setattr("recollect.memory.memories.searching.FEW", 0)


async def until_index(client: TestClient[Any, Any], status: str) -> dict[str, Any]:
    """What /readyz says once the index is so."""
    said: dict[str, Any] = {}

    async def is_so() -> bool:
        answer = await client.get("/readyz")
        assert answer.status == 200
        said.update(await answer.json())
        return bool(said["parts"]["index"] == status)

    await until(is_so, f"an index that is {status}")
    return said


async def recalled(client: TestClient[Any, Any]) -> None:
    """A memory is kept, found, and given to a chat."""
    tea = {"messages": "I like green tea", "user_id": "default", "infer": False}
    assert (await client.post("/v1/memories/", json=tea)).status == 200
    asked = {"query": "green tea", "user_id": "default"}
    found = await (await client.post("/v1/memories/search/", json=asked)).json()
    assert "I like green tea" in str(found)
    body = {"model": "m", "messages": [{"role": "user", "content": "What green tea do I like?"}]}
    chat = await client.post("/v1/chat/completions", json=body)
    assert chat.status == 200
    assert chat.headers["x-recollect-memory"] == "injected"
    assert chat.headers["x-recollect-count"] == "1"


@pytest.mark.process
@pytest.mark.usefixtures("needs_an_index")
async def test_a_damaged_index_stops_nothing(tmp_path, upstream):
    """It has nothing that the database has not: all goes on without it, and /readyz says so."""
    index = tmp_path / "index.milvus"
    beside = tmp_path / "index.milvus.recollect"
    for foreign in (index, beside):
        foreign.write_bytes(b"not a folder")
    app = build_app(settings(tmp_path, upstream, index__backend="milvus"))
    async with TestClient(TestServer(app)) as client:
        ready = await until_index(client, "index_unavailable")
        assert (ready["status"], ready["parts"]["database"]) == ("degraded", "ok")
        assert "index.uri" in ready["advice"]["index"]
        await recalled(client)
    assert {index.read_bytes(), beside.read_bytes()} == {b"not a folder"}


FULL = """
    CREATE OR REPLACE FUNCTION refuse() RETURNS trigger AS $$
    BEGIN RAISE EXCEPTION 'No space left on device' USING ERRCODE = '53100'; END $$ LANGUAGE plpgsql;
    CREATE TRIGGER full_disk BEFORE INSERT ON {table} EXECUTE FUNCTION refuse()
"""


async def chat_and_look(client: TestClient[Any, Any], text: str) -> dict[str, Any]:
    """Say something, which is answered, and see how the parts are then."""
    body = {"model": "m", "messages": [{"role": "user", "content": text}]}
    answer = await client.post("/v1/chat/completions", json=body)
    assert (await answer.json())["choices"]
    return dict(await (await client.get("/readyz")).json())


async def test_chats_go_on_while_redis_is_away(tmp_path, upstream, postgres):
    """Nothing is lost: it is the only copy of nothing; /readyz says what is missing."""
    async with empty_database(postgres) as url:
        flags = {"database__url": url, "redis__url": f"redis://127.0.0.1:{free_port()}/0"}
        app = build_app(settings(tmp_path, upstream, **flags))
        async with TestClient(TestServer(app)) as client:
            ready = await chat_and_look(client, "I moved to Oslo")
            assert ready["status"] == "degraded"
            assert ready["parts"]["redis"] == "state_unavailable"
            assert "redis.url" in ready["advice"]["redis"]
            assert ready["parts"]["database"] == "ok"
            assert (ready["jobs"]["lost"], ready["jobs"]["refused"]) == (0, 0)


async def test_chats_go_on_while_the_database_takes_nothing(tmp_path, upstream, postgres):
    """What is not kept is counted, /readyz says what mends it, and by itself that it is over."""
    async with empty_database(postgres) as url:
        app = build_app(settings(tmp_path, upstream, database__url=url))
        async with TestClient(TestServer(app)) as client:
            admin = await asyncpg.connect(url)
            for table in ("turns", "offers"):
                await admin.execute(FULL.format(table=table))
            ready = await chat_and_look(client, "I moved to Oslo")
            assert ready["status"] == "degraded"
            assert ready["parts"]["database"] == "state_unwritable"
            assert "make room" in ready["advice"]["database"]
            assert ready["jobs"]["lost"] == 1
            assert ready["jobs"]["refused"] >= 1
            assert str(postgres.port) not in str(ready)
            for table in ("turns", "offers"):
                await admin.execute(f"DROP TRIGGER full_disk ON {table}")
            await admin.close()
            ready = await chat_and_look(client, "I moved to Bergen")
            assert (ready["status"], ready["jobs"]["lost"]) == ("ok", 1)
            assert "advice" not in ready


@pytest.mark.skipif(library() is None, reason="Python's SQLite cannot be reached")
@rows("kind", ["full", "broken"])
async def test_chats_go_on_while_the_disk_takes_nothing(tmp_path, upstream, kind):
    """The same for the embedded database, whichever way the disk refuses."""
    with failing_files(library()) as files:
        app = build_app(settings(tmp_path / kind, upstream))
        async with TestClient(TestServer(app)) as client:
            files.fail = lambda operation: CODES[kind].get(operation, 0)
            ready = await chat_and_look(client, "I moved to Oslo")
            assert ready["status"] == "degraded"
            assert ready["parts"]["database"] == "state_unwritable"
            assert "recollect.db" in ready["advice"]["database"]
            assert str(tmp_path) not in str(ready)
            # Claims of jobs and other work in the background are refused in the same database.
            assert ready["jobs"]["lost"] == 1
            assert ready["jobs"]["refused"] >= 1
            files.fail = lambda _: 0
            ready = await chat_and_look(client, "I moved to Bergen")
            assert (ready["status"], ready["jobs"]["lost"]) == ("ok", 1)


@pytest.mark.usefixtures("needs_an_index")
async def test_an_absent_server_does_not_stop_the_start(tmp_path, upstream, monkeypatch):
    """A server of the index may come later: recall goes on, and /readyz says what is missing."""
    monkeypatch.setattr(MilvusIndexOptions, "call_seconds", 1.0)
    app = build_app(
        settings(
            tmp_path,
            upstream,
            index__backend="milvus",
            index__uri="http://127.0.0.1:9",
        )
    )
    async with TestClient(TestServer(app)) as client:
        ready = await until_index(client, "index_unavailable")
        assert (ready["status"], ready["parts"]["database"]) == ("degraded", "ok")
        assert "index.uri" in ready["advice"]["index"]
        await recalled(client)
