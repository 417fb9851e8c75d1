"""The Messages API as its users have it: the real client, the whole product, a server behind it."""

from __future__ import annotations

import importlib
import json

import pytest

from tests.e2e.asking import flush
from tests.support.gateway import CHAT
from tests.support.messages_upstream import MessagesUpstream
from tests.support.scripted import facts

pytestmark = pytest.mark.process
ASKED = {"model": "claude-test", "max_tokens": 100, "metadata": {"user_id": "alice"}}
LIVES = "I live in Lyon and I work as a baker."


@pytest.fixture
async def upstream():
    async with MessagesUpstream("Noted.") as upstream:
        yield upstream


@pytest.fixture(scope="session")
def anthropic():
    """Imported when it is used: it has 3,000 modules, and each process reads this file."""
    return importlib.import_module("anthropic")


@pytest.fixture
async def client(anthropic, tenant, upstream, extractor):
    extractor.replies = [facts("User lives in Lyon")]
    tenant.served_by(upstream, extractor)
    async with anthropic.AsyncAnthropic(
        base_url=tenant.url, api_key=tenant.key, max_retries=0, default_headers={CHAT: "1"}
    ) as client:
        yield client


def user(*content):
    return [{"role": "user", "content": content[0] if len(content) == 1 else list(content)}]


def text(words, **more):
    return {"type": "text", "text": words, **more}


@pytest.fixture
async def knowing(client, tenant):
    """The client, after it was told where its user lives."""
    first = await client.messages.create(**ASKED, messages=user(LIVES))
    assert first.content[0].text == "Noted."
    assert first.usage.cache_read_input_tokens == 2
    await flush(tenant, user_id="alice")
    return client


async def test_what_was_said_is_known_later(knowing, upstream, tenant):
    """A memory goes to the model in the user's message, and the answer comes back as it was."""
    answer = await knowing.messages.create(**ASKED, messages=user("Where do I live?"))
    assert answer.content[0].text == "Noted."
    [message] = upstream.requests[-1]["messages"]
    assert "Lyon" in message["content"]
    assert message["content"].endswith("Where do I live?")
    assert "system" not in upstream.requests[-1]
    assert tenant.key in str(upstream.headers[-1])


async def test_streams_pass_as_they_are(client, upstream):
    """Text, a call of a tool, and the usage arrive through the client's own reader of events."""
    async with client.messages.stream(**ASKED, messages=user(LIVES)) as stream:
        assert "".join([piece async for piece in stream.text_stream]) == "Noted."
        whole = await stream.get_final_message()
    assert whole.usage.output_tokens == 5
    upstream.answers = [("look", {"place": "Lyon"})]
    tools = [{"name": "look", "input_schema": {"type": "object"}}]
    said = user("What is the weather at home?")
    async with client.messages.stream(**ASKED, messages=said, tools=tools) as stream:
        whole = await stream.get_final_message()
    assert whole.content[0].input == {"place": "Lyon"}


async def test_errors_are_the_servers_own(anthropic, client, upstream, tenant):
    """A refusal keeps its status, its type and its words; the server's absence is told in its form."""
    with pytest.raises(anthropic.BadRequestError) as told:
        await client.post("/v1/messages", body={"model": "m", "messages": []}, cast_to=object)
    assert told.value.body["error"] == {
        "type": "invalid_request_error",
        "message": "max_tokens: Field required",
    }
    tenant.served_by(None)
    with pytest.raises(anthropic.APIStatusError) as told:
        await client.messages.create(**ASKED, messages=user("Hello"))
    assert told.value.status_code == 502
    assert told.value.body["type"] == "error"
    assert told.value.body["error"]["code"] == "upstream_unreachable"
    json.dumps(told.value.body)


async def test_the_rest_of_the_api_passes(client, upstream):
    """Counting tokens and batches reach the server, and nothing is added to them."""
    counted = await client.messages.count_tokens(model="m", messages=user("Where do I live?"))
    assert counted.input_tokens == 7
    assert [page async for page in await client.messages.batches.list()] == []
    assert upstream.paths[-2:] == ["/v1/messages/count_tokens", "/v1/messages/batches"]
