"""Ollama's chat API as its users have it: the real client, the whole product, a server behind it."""

from __future__ import annotations

from contextlib import asynccontextmanager

import ollama
import pytest

from tests.support.ollama_upstream import OllamaUpstream
from tests.support.product import Product
from tests.support.scripted import ScriptedModel, facts

from .test_remembers import flush, memories

pytestmark = pytest.mark.process
LIVES = {"role": "user", "content": "I live in Lyon and I work as a baker."}
ASKED = {"role": "user", "content": "Where do I live?"}


@pytest.fixture
async def upstream():
    async with OllamaUpstream("Noted, thank you.") as upstream:
        yield upstream


@pytest.fixture(params=["", "/v1"])
async def product(request, upstream, tmp_path, models_dir):
    """Behind either form of the address: the root, and the one of the compatible API."""
    async with ScriptedModel(facts("User lives in Lyon")) as extractor:
        settings = {
            "upstream__base_url": upstream.root + request.param,
            "learn__llm__base_url": extractor.base_url,
            "embedder__model_dir": models_dir,
            "recall__deadline_ms": 5000,
            "identity__default_user": "alice",
        }
        async with Product(tmp_path, **settings) as product:
            yield product


@asynccontextmanager
async def client_of(product):
    """Its own end leaves connections open."""
    client = ollama.AsyncClient(host=product.url)
    try:
        yield client
    finally:
        await client._client.aclose()


async def test_what_was_said_is_known_later(product, upstream):
    """A stream of lines is read and passed on, whole answers too, and a call keeps its arguments."""
    async with client_of(product) as client:
        await says_and_asks(client, product, upstream)


async def says_and_asks(client, product, upstream):
    pieces = [piece async for piece in await client.chat("tiny", [LIVES], stream=True)]
    assert "".join(piece.message.content for piece in pieces) == "Noted, thank you."
    assert pieces[-1].eval_count == 3
    await flush(product, user_id="alice")
    assert await memories(product, "alice") == ["User lives in Lyon"]
    answer = await client.chat("tiny", [ASKED])
    assert answer.message.content == "Noted, thank you."
    [message] = upstream.requests[-1]["messages"]
    assert "Lyon" in message["content"]
    assert message["content"].endswith("Where do I live?")
    upstream.answers = [("look", {"place": "Lyon"})]
    answer = await client.chat("tiny", [{"role": "user", "content": "Is it sunny at home?"}])
    assert answer.message.tool_calls[0].function.arguments == {"place": "Lyon"}
    assert [one.model for one in (await client.list()).models] == ["tiny"]
    with pytest.raises(ollama.ResponseError, match="not found"):
        await client.chat("unknown", [ASKED])


async def test_a_server_that_is_away_is_told_in_the_clients_words(
    tmp_path, models_dir, unused_tcp_port
):
    """The client reads our own error as one of its API: a text."""
    settings = {
        "upstream__base_url": f"http://127.0.0.1:{unused_tcp_port}",
        "embedder__model_dir": models_dir,
    }
    async with Product(tmp_path, **settings) as product, client_of(product) as client:
        with pytest.raises(ollama.ResponseError) as told:
            await client.chat("tiny", [ASKED])
    assert told.value.status_code == 502
    assert told.value.error.startswith("Recollect could not reach the model server")
