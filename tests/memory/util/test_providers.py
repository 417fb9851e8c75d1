"""Models of others: providers by name, the client of OpenAI's API, and optional packages."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import subprocess
import sys
import threading
import tomllib
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from pydantic import SecretStr

from recollect.config.server import UpstreamOptions
from recollect.memory import ConfigError, MemoryOptions
from recollect.memory.api.library import library_options
from recollect.memory.util.extras import EXTRAS
from recollect.memory.util.openai_client import NO_KEY, OPENAI_BASE_URL, describe, open_client
from recollect.memory.util.providers import (
    JSON_FORMS,
    provided,
    provided_embeddings,
    provider,
    providers,
)
from tests.config.loading import refused
from tests.support.folding import rows
from tests.support.tables import tables

ROWS = tables(__file__)

ENVIRON = {"ANTHROPIC_API_KEY": "sk-ant", "OLLAMA_HOST": "0.0.0.0:9999"}


@rows("name", providers())
def test_the_table_is_complete(name):
    """Every provider has an address or a variable for one, and says where that is documented."""
    one = provider(name)
    assert (one.base_url or "").startswith(("https://", "http://127.0.0.1")) or one.address
    assert not (one.base_url or "").endswith("/")
    assert one.json in JSON_FORMS
    assert one.tokens in {"max_tokens", "max_completion_tokens"}
    assert one.source
    assert one.keys or "127.0.0.1" in str(one.base_url)
    if one.embeddings is not None:
        assert one.embeddings["dim"] > 0


def test_one_key_is_enough():
    """With the variable that its users have set, the name alone makes a model."""
    assert provided({"provider": "anthropic"}, ENVIRON) == {
        "provider": "anthropic",
        "base_url": "https://api.anthropic.com/v1",
        "api_key": "sk-ant",
        "model": "claude-haiku-4-5",
    }


def test_a_key_of_the_environment_stays_with_its_provider():
    """It is not sent to another address that the options name."""
    found = provided({"provider": "anthropic", "base_url": "http://elsewhere/v1"}, ENVIRON)
    assert "api_key" not in found


def test_an_upstream_without_an_address_is_refused(monkeypatch):
    """It never becomes OpenAI's: the keys of clients would go there."""
    monkeypatch.delenv("AZURE_OPENAI_ENDPOINT", raising=False)
    with pytest.raises(ValueError, match="azure has no address of its own"):
        UpstreamOptions(provider="azure")


@rows("said, model, name", ROWS["a prefix names the provider"])
def test_a_prefix_names_the_provider(said, model, name):
    """It is cut off, unless the names of its models have a slash themselves."""
    found = provided(said, {})
    assert (found["model"], found["provider"]) == (model, name)


@rows("said", [{"model": "mine/model"}, {"model": "anthropic/x", "base_url": "http://gateway/v1"}])
def test_other_prefixes_are_part_of_the_name(said):
    """So is any prefix behind an address of one's own: a gateway may know it."""
    assert provided(said, {}) == said


@rows("host, url", ROWS["an address without a port"])
def test_an_address_without_a_port(host, url):
    """It has Ollama's, unless it names a scheme: Ollama's own programs read it so."""
    assert provider("ollama").url({"OLLAMA_HOST": host}) == url


@rows("name, slash", [("ollama", ""), ("vllm", "/"), ("azure", "")])
async def test_a_model_that_nobody_names_is_asked_for(name, slash, aiohttp_server):
    """One that the server has is told; it is never OpenAI's usual one."""
    asked = []

    async def models(request):
        asked.append(request.headers)
        return web.json_response({"data": [{"id": "x\ny"}, {"id": "mine:8b"}, {"id": "other"}]})

    app = web.Application()
    app.router.add_get("/v1/models", models)
    url = str((await aiohttp_server(app)).make_url("/v1")) + slash
    said = {"provider": name, "base_url": url, "api_key": "k"}
    with pytest.raises(ValueError, match=rf"{name} has .*: set model, such as mine:8b"):
        await asyncio.to_thread(provided, said, {})
    [headers] = asked
    key = headers.get("api-key") if name == "azure" else headers.get("authorization")
    assert key in {"k", "Bearer k"}


@rows(
    "answer", [None, b"", b"{", b"[]", b'{"data": 1}', b'{"data": [{}]}', b'{"data": [{"id": 7}]}']
)
def test_a_server_that_names_no_model(answer, unused_tcp_port_factory):
    """It is asked for all the same, without an example."""
    with contextlib.ExitStack() as stack:
        port = unused_tcp_port_factory()
        if answer is not None:
            listening = stack.enter_context(socket.create_server(("127.0.0.1", port)))
            threading.Thread(target=_answer_once, args=(listening, answer)).start()
        with pytest.raises(ValueError, match=r"set model$"):
            provided({"provider": "vllm", "base_url": f"http://127.0.0.1:{port}/v1"}, {})


def _answer_once(listening, body):
    connection, _ = listening.accept()
    with connection:
        connection.recv(65_536)
        head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n"
        connection.sendall(head.encode() + body)


def test_an_upstream_that_is_named_twice():
    """A provider that is in one place is not another address; one's own server may be anywhere."""
    with pytest.raises(ValueError, match=r"provider anthropic is .*leave one out"):
        UpstreamOptions(provider="anthropic", base_url="https://api.openai.com/v1")
    same = UpstreamOptions(provider="anthropic", base_url="https://api.anthropic.com/v1/")
    assert same.base_url == UpstreamOptions(provider="anthropic").base_url
    own = UpstreamOptions(provider="ollama", base_url="http://gpu:1/v1")
    assert own.base_url == "http://gpu:1/v1"
    assert own.shown.startswith("http://gpu:1/v1 (upstream.base_url, not http://")
    assert same.shown == same.base_url


@rows("said, told", ROWS["what cannot be used is told"])
def test_what_cannot_be_used_is_told(said, told):
    """A name that is none, and a provider whose address nobody knows."""
    with pytest.raises(ValueError, match=told):
        provided(said, {})


def test_embeddings():
    """The usual model has its dimensions; those of another one must be named."""
    found = provided_embeddings({"provider": "mistral"}, {"MISTRAL_API_KEY": "k"})
    assert (found["model"], found["dim"], found["api_key"]) == ("mistral-embed", 1024, "k")
    named = provided_embeddings({"provider": "ollama", "model": "bge-m3", "dim": 1024}, {})
    assert (named["model"], named["dim"]) == ("bge-m3", 1024)
    for said in ({"provider": "anthropic"}, {"provider": "mistral", "model": "other"}):
        with pytest.raises(ValueError, match="set model and dim"):
            provided_embeddings(said, {})


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


ROOT = Path(__file__).parents[3]
MODULES = [module for packages in EXTRAS.values() for module in packages.values()]


def test_the_extras_are_those_of_the_package():
    """A command that is named installs what was missing."""
    offered = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
        "optional-dependencies"
    ]
    assert set(offered) == {*EXTRAS, "all"}
    assert offered["all"] == [f"recollect[{','.join(EXTRAS)}]"]


@pytest.mark.parametrize(
    ("extra", "module", "key", "environ"),
    [
        (
            "redis",
            "redis",
            "redis.url",
            {"DATABASE__URL": "postgresql://h/d", "REDIS__URL": "redis://h"},
        ),
        ("chroma", "chromadb", "index.backend", {"INDEX__BACKEND": "chroma"}),
        (
            "server",
            "cryptography",
            "identity.mode",
            {
                "IDENTITY__MODE": "jwt",
                "IDENTITY__JWT__JWKS": "https://h/jwks",
                "IDENTITY__JWT__ISSUER": "i",
                "IDENTITY__JWT__AUDIENCE": "[a]",
            },
        ),
        (
            "otel",
            "opentelemetry.sdk",
            "telemetry.otlp_endpoint",
            {"TELEMETRY__OTLP_ENDPOINT": "http://h"},
        ),
    ],
)
def test_a_missing_extra_is_named_with_its_command(monkeypatch, extra, module, key, environ):
    """Before anything is opened, with the key that needs it."""
    monkeypatch.setitem(sys.modules, module, None)
    text = refused(environ={f"RECOLLECT_{name}": value for name, value in environ.items()})
    assert text.startswith(f"{key}: ")
    assert text.endswith(f"not installed: run `pip install 'recollect[{extra}]'`")


def test_the_library_names_it_too(monkeypatch):
    """As one of the errors about its options."""
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    with pytest.raises(ConfigError, match=r"database.url: .*'recollect\[postgres\]'"):
        library_options(MemoryOptions(database={"url": "postgresql://h/d"}), None)


@pytest.mark.process
def test_without_the_extras_everything_else_is_imported():
    """Only the backends themselves need what they are named for."""
    program = f"""
import pkgutil, sys
sys.modules |= dict.fromkeys({[m.partition(".")[0] for m in MODULES]})
import recollect
for found in pkgutil.walk_packages(recollect.__path__, "recollect.", onerror=lambda name: None):
    if not found.name.startswith(("recollect.memory.state.redis", "recollect.memory.database.postgres",
                                  "recollect.memory.stores.milvus.lite_server", "recollect.__main__",
                                  "recollect.memory.stores.pgvector.", "recollect.memory.stores.qdrant.",
                                  "recollect.memory.index.chroma", "recollect.memory.index.pgvector",
                                  "recollect.memory.index.qdrant",
                                  "recollect.memory.index.redis",
                                  "recollect.memory.stores.chroma.", "recollect.proxy.mcp.protocol")):
        __import__(found.name)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr


def test_what_is_said_wins():
    """Address, key and model of the options stay as they are."""
    said = {"provider": "anthropic", "base_url": "http://x/v1", "api_key": "k", "model": "m"}
    assert provided(said, ENVIRON) == said


async def test_what_is_configured_is_used() -> None:
    """The configured server, key, patience and retries."""
    client = await open_client(
        base_url="http://127.0.0.1:1/v1", api_key=SecretStr("k"), timeout_seconds=3, max_retries=4
    )
    assert (str(client.base_url), client.api_key) == ("http://127.0.0.1:1/v1/", "k")
    assert (client.timeout.read, client.timeout.connect, client.max_retries) == (3, 3, 4)
    await client.close()
