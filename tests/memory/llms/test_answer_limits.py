import gzip

import pytest
from aiohttp import web

from recollect.memory.llms import OpenAIChatModel, OpenAIChatOptions
from recollect.memory.llms.answer_limits import MAX_ANSWER_BYTES
from recollect.memory.model.errors import ModelError
from recollect.memory.model.types import ChatRequest, Message
from tests.support.folding import rows

ASK = ChatRequest(messages=[Message(role="user", content="hi")])
CHUNK = b"x" * 65_536


@pytest.fixture
async def ask(aiohttp_server):
    """Asks a server that answers with a handler; says how many bytes it got rid of."""
    models = []

    async def ask(handler):
        app = web.Application()
        app.router.add_post("/v1/chat/completions", handler)
        url = str((await aiohttp_server(app)).make_url("/v1"))
        models.append(OpenAIChatModel(OpenAIChatOptions(base_url=url), retries=2))
        return await models[-1].complete(ASK)

    yield ask
    for model in models:
        await model.close()


@rows("status", [200, 400, 500])
async def test_an_endless_answer(ask, status):
    """Of 1 GB no more than the bound is read, once, whatever its status."""
    sent = []

    async def flood(request):
        response = web.StreamResponse(status=status)
        await response.prepare(request)
        sent.append(0)
        try:
            while sent[-1] < 1 << 30:
                await response.write(CHUNK)
                sent[-1] += len(CHUNK)
        except ConnectionError:
            pass
        return response

    with pytest.raises(ModelError, match=f"larger than {MAX_ANSWER_BYTES}"):
        await ask(flood)
    assert len(sent) == 1
    assert sent[0] < 1 << 28


async def test_compressed_answers_are_not_asked_for_and_not_read(ask):
    """A small body that unpacks to much more is refused by its header."""
    seen = []

    async def bomb(request):
        seen.append(request.headers["Accept-Encoding"])
        body = gzip.compress(b"x" * 5_000_000)
        return web.Response(body=body, headers={"Content-Encoding": "gzip"})

    with pytest.raises(ModelError, match="compressed"):
        await ask(bomb)
    assert seen == ["identity"]


@rows("body", [b'{"choices":[%s0]}' % (b"[]," * 500_000), b'{"choices":' + b"[" * 100_000])
async def test_an_answer_of_too_many_values_is_not_parsed(ask, body):
    """The client's library would parse it on the event loop."""

    async def many(_):
        return web.Response(body=body, content_type="application/json")

    with pytest.raises(ModelError, match="too much JSON: expected at most"):
        await ask(many)


async def test_counts_of_tokens_that_are_none(ask):
    """A ledger adds them up: what is no number of tokens counts as not told."""
    message = {"role": "assistant", "content": "yes"}
    for counted in (10**30, -1, "many", None):
        usage = {"prompt_tokens": counted, "completion_tokens": 7, "total_tokens": 7}

        async def odd(_, usage=usage):
            return web.json_response({"choices": [{"message": message}], "usage": usage})

        reply = await ask(odd)
        assert (reply.prompt_tokens, reply.completion_tokens) == (0, 7)
