"""Ollama's chat API as its users have it: the real client, the whole product, a server behind it."""

from __future__ import annotations

from contextlib import asynccontextmanager

import ollama
import pytest

from tests.e2e.asking import flush, memories
from tests.support.ollama_upstream import OllamaUpstream
from tests.support.scripted import facts

pytestmark = pytest.mark.process
LIVES = {"role": "user", "content": "I live in Lyon and I work as a baker."}
ASKED = {"role": "user", "content": "Where do I live?"}


@asynccontextmanager
async def client_of(tenant):
    """Its own end leaves connections open."""
    named = {"x-recollect-user": "alice"}
    client = ollama.AsyncClient(host=tenant.url, headers=tenant.headers | named)
    try:
        yield client
    finally:
        await client._client.aclose()


class Rooted(OllamaUpstream):
    """Addressed as other servers are."""

    @property
    def base_url(self):
        return self.root


async def test_what_was_said_is_known_later(tenant, extractor):
    """A stream of lines is read and passed on, whole answers too, and a call keeps its arguments."""
    extractor.replies = [facts("User lives in Lyon")]
    async with Rooted("Noted, thank you.") as upstream, client_of(tenant) as client:
        tenant.served_by(upstream, extractor)
        await says_and_asks(client, tenant, upstream)
        tenant.served_by(None)
        with pytest.raises(ollama.ResponseError) as told:
            await client.chat("tiny", [ASKED])
    # The client reads our own error as one of its API: a text.
    assert told.value.status_code == 502
    assert told.value.error.startswith("Recollect could not reach the model server")


async def says_and_asks(client, tenant, upstream):
    pieces = [piece async for piece in await client.chat("tiny", [LIVES], stream=True)]
    assert "".join(piece.message.content for piece in pieces) == "Noted, thank you."
    assert pieces[-1].eval_count == 3
    await flush(tenant, user_id="alice")
    assert await memories(tenant, "alice") == ["User lives in Lyon"]
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
