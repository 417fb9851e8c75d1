"""Providers by name: what they stand for, what wins over it, and what is refused."""

import asyncio
import contextlib
import socket
import threading

import pytest
from aiohttp import web

from recollect.config.server import UpstreamOptions
from recollect.memory.util.providers import (
    JSON_FORMS,
    provided,
    provided_embeddings,
    provider,
    providers,
)
from tests.support.folding import rows

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


@rows(
    "said, model, name",
    [
        ({"model": "anthropic/claude-opus-4"}, "claude-opus-4", "anthropic"),
        ({"model": "openrouter/auto"}, "openrouter/auto", "openrouter"),
        ({"provider": "openrouter", "model": "openai/gpt-4o"}, "openai/gpt-4o", "openrouter"),
        ({"provider": "gemini", "model": "gemini/gemini-pro"}, "gemini-pro", "gemini"),
        ({"provider": "gemini", "model": "models/x"}, "models/x", "gemini"),
    ],
)
def test_a_prefix_names_the_provider(said, model, name):
    """It is cut off, unless the names of its models have a slash themselves."""
    found = provided(said, {})
    assert (found["model"], found["provider"]) == (model, name)


@rows("said", [{"model": "mine/model"}, {"model": "anthropic/x", "base_url": "http://gateway/v1"}])
def test_other_prefixes_are_part_of_the_name(said):
    """So is any prefix behind an address of one's own: a gateway may know it."""
    assert provided(said, {}) == said


def test_an_address_of_the_environment():
    """A server of one's own is where its variable says, with what an address of the API needs."""
    assert provider("ollama").url(ENVIRON) == "http://0.0.0.0:9999/v1"
    azure = {"AZURE_OPENAI_ENDPOINT": "https://mine.openai.azure.com/"}
    assert provider("azure").url(azure) == "https://mine.openai.azure.com/openai/v1"
    assert provider("ollama").url({}) == "http://127.0.0.1:11434/v1"


@rows(
    "host, url",
    [
        ("gpu", "http://gpu:11434/v1"),
        ("10.0.0.7", "http://10.0.0.7:11434/v1"),
        ("gpu:80", "http://gpu:80/v1"),
        ("[::1]", "http://[::1]:11434/v1"),
        ("[::1]:9", "http://[::1]:9/v1"),
        ("gpu/ollama/", "http://gpu:11434/ollama/v1"),
        ("http://gpu", "http://gpu/v1"),
        ("https://gpu/v1", "https://gpu/v1"),
    ],
)
def test_an_address_without_a_port(host, url):
    """It has Ollama's, unless it names a scheme: Ollama's own programs read it so."""
    assert provider("ollama").url({"OLLAMA_HOST": host}) == url


@pytest.mark.parametrize(("name", "slash"), [("ollama", ""), ("vllm", "/"), ("azure", "")])
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


@rows(
    "said, told",
    [
        ({"provider": "antropic"}, "did you mean 'anthropic'"),
        ({"provider": "zzz"}, "known are openai, azure"),
        (
            {"provider": "azure", "model": "m"},
            "set base_url, or the variable AZURE_OPENAI_ENDPOINT",
        ),
    ],
)
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
