"""What leaves for each provider, recorded by a server in its place: docs/backends.md says so."""

from recollect.memory.llms import OpenAIChatModel, OpenAIChatOptions
from recollect.memory.model.types import ChatRequest, Message
from recollect.memory.util.providers import providers
from tests.support.folding import rows
from tests.support.scripted import ScriptedModel

ASKED = ChatRequest(
    messages=(Message(role="user", content="Hello"),),
    schema={"type": "object"},
    max_tokens=50,
    temperature=0,
)


@rows("name", providers())
async def test_the_request_is_the_providers_own(name):
    """Path, key, form of the answer and bound are what the table says of it."""
    known = providers()[name]
    async with ScriptedModel('{"facts": []}') as server:
        options = OpenAIChatOptions(
            provider=name, base_url=server.base_url, model=known.model or "m", api_key="sk-1"
        )
        model = OpenAIChatModel(options, setting="learn.llm")
        reply = await model.complete(ASKED)
        await model.close()
    [body], [headers] = server.requests, server.headers
    assert reply.text == '{"facts": []}'
    assert body["model"] == options.model
    otherwise = {"type": "tool" if "tools" in body else "text"}
    assert body.get("response_format", otherwise)["type"] == known.json
    assert (known.tokens in body, len({"max_tokens", "max_completion_tokens"} & body.keys())) == (
        True,
        1,
    )
    if known.header != "bearer":
        assert headers[known.header] == "sk-1"
