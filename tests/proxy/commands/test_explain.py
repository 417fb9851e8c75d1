"""`recollect explain`: a running proxy is asked; without one the database is opened."""

import asyncio
import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from recollect.memory.embedders import FakeEmbedder
from recollect.memory.language import stored_terms
from recollect.memory.model.types import (
    MemoryItem,
    MemoryType,
    Provenance,
    Scope,
    StoredMemory,
    utc_now,
)
from recollect.proxy.cli import main
from tests.hostile.facing import Facing
from tests.proxy.wire import request
from tests.support.memories import memories_in

TEA = "Alice has green tea every morning"
QUESTION = "Which green tea do I like?"
ASK = ["explain", "--user", "alice"]


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    """Tables as on a wide terminal, however tests are run."""
    monkeypatch.setenv("COLUMNS", "200")


class Running(Facing):
    """A proxy that runs, and the command beside it with settings that name it."""

    def __init__(self, environ, **options):
        super().__init__(**options)
        self._environ = environ

    async def __aenter__(self):
        await super().__aenter__()
        self._environ.setenv("RECOLLECT_LISTEN__PORT", str(self.port))
        return self

    async def remember(self, text, *headers, **scope):
        body = {"messages": text, "infer": False, **(scope or {"user_id": "alice"})}
        data = request("POST", "/v1/memories/", json.dumps(body).encode(), *headers)
        seen = await self.ask(data.replace(b"proxy.test", b"127.0.0.1"))
        assert seen.status == 200

    async def main(self, *arguments):
        """Run the command while the proxy serves."""
        return await asyncio.to_thread(main, [*ASK, *arguments])


@pytest.mark.process
async def test_a_running_proxy_is_asked(environ, capsys):
    """It has the memories; the answer is a table, best memory first, and what bounded it."""
    async with Running(environ) as proxy:
        await proxy.remember(TEA)
        await proxy.remember("Zebras sleep standing")
        assert await proxy.main(QUESTION) == 0
        assert not proxy.upstream.requests
    shown = capsys.readouterr().out
    gate, place, _, _, tea, zebra, _, chosen, thresholds = shown.splitlines()
    assert (gate, place) == ("gate: recall (personal)", "place: user")
    assert tea.split()[0] == "1"
    assert tea.endswith(TEA)
    assert " answer " in tea
    assert "lexical" in tea
    assert " no evidence " in zebra
    assert chosen.startswith("1 of 2 chosen")
    assert "left out: 1 no evidence" in chosen
    assert "that anything stored bears on it, 50% needed; limit 8" in thresholds


async def test_in_gateway_mode_the_tenants_are_told(environ, capsys):
    """Memories of a chat belong to its credential's tenant: what was asked about is not all."""
    options = {"identity__mode": "gateway", "identity__hash_key": "h", "api__token": "t"}
    for name, value in options.items():
        environ.setenv(f"RECOLLECT_{name.upper()}", value)
    async with Running(environ, **options) as proxy:
        assert await proxy.main(QUESTION) == 1
        assert await asyncio.to_thread(main, ["explain", QUESTION]) == 2
        assert await proxy.main(QUESTION, "--tenant", "other") == 1
    told = capsys.readouterr().err
    assert "name it with --tenant" in told
    assert "answers for the tenant local and those in identity.tenants" in told


async def test_it_has_the_configured_token(environ, capsys):
    """With the right one it is answered, with another it says which setting is wrong."""
    environ.setenv("RECOLLECT_API__TOKEN", "right")
    async with Running(environ, api__token="right") as proxy:
        await proxy.remember(TEA, "Authorization: Bearer right")
        assert await proxy.main(QUESTION) == 0
        environ.setenv("RECOLLECT_API__TOKEN", "wrong")
        assert await proxy.main(QUESTION) == 1
    told = capsys.readouterr().err
    assert "a valid API token is required; see api.token" in told
    assert "wrong" not in told


def test_another_program_is_not_asked(environ, capsys):
    """Who listens there must be a Recollect before it is told anything."""
    paths = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            paths.append(self.path)
            self.send_response(200)
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        environ.setenv("RECOLLECT_LISTEN__PORT", str(server.server_port))
        try:
            assert main([*ASK, QUESTION]) == 1
        finally:
            server.shutdown()
            thread.join()
    assert paths == ["/readyz"]
    assert "no proxy answers" in capsys.readouterr().err


@pytest.fixture
def folder(environ, tmp_path):
    """The configured database, which is not there yet."""
    return tmp_path / "data" / "recollect.db"


async def fill(file, *names):
    """Put memories of alice there, each pending on the one before it; tea, if none is named."""
    embedder, before = FakeEmbedder(), ()
    file.parent.mkdir(exist_ok=True)
    async with memories_in(file, embedder, terms=stored_terms) as memories:
        for name in names or ("tea",):
            text = f"User's rent is {name}" if names else TEA
            [vector] = await embedder.embed([text])
            item = MemoryItem(
                id=name,
                text=text,
                type=MemoryType.SEMANTIC,
                scope=Scope(tenant="local", user_id="alice"),
                created_at=utc_now(),
                updated_at=utc_now(),
                embedder_id=embedder.id,
                provenance=Provenance(matter=names[0], pending=before) if names else Provenance(),
            )
            await memories.put([StoredMemory(item, vector)])
            before = (name,)


@pytest.mark.process
async def test_a_database_in_use_elsewhere_is_said(folder, capsys):
    """A proxy with another address has it: the message is the database's own."""
    folder.parent.mkdir()
    async with memories_in(folder, FakeEmbedder()):
        assert await asyncio.to_thread(main, [*ASK, QUESTION]) == 1
    told = capsys.readouterr().err
    assert "is in use by" in told
