"""The `openai` client's own behaviours: retries, errors, raw answers, cancellation, other routes."""

import asyncio

import openai
import pytest

from tests.proxy.wire import chunk
from tests.support.folding import rows

from .pair import (
    CUT,
    alice,
    answer,
    chunks,
    completion,
    events,
    paired,
    plain,
)
from .whole import QUESTION, Whole

ASK = {"model": "m", "messages": [{"role": "user", "content": QUESTION}]}
HELLO = answer(completion({"content": "hello"}), "x-request-id: req_9")
BUSY = {"error": {"message": "slow", "type": "t", "code": "c", "param": "p"}}


def ask(client):
    """A plain chat call that recalls."""
    return client.chat.completions.create(**ASK)


class Waits(openai.AsyncOpenAI):
    """Notes how long it would wait before each retry, and does not."""

    def __init__(self, **options):
        super().__init__(**options)
        self.waits = []

    def _calculate_retry_timeout(self, *args):
        self.waits.append(super()._calculate_retry_timeout(*args))
        return 0


ERRORS = {
    400: openai.BadRequestError,
    401: openai.AuthenticationError,
    403: openai.PermissionDeniedError,
    404: openai.NotFoundError,
    409: openai.ConflictError,
    422: openai.UnprocessableEntityError,
    429: openai.RateLimitError,
    500: openai.InternalServerError,
    503: openai.InternalServerError,
}


@rows("status, kind", ERRORS.items())
async def test_errors_have_their_class_and_id(status, kind):
    """Class, message, code, parameter and request id are those of a direct call."""
    async with paired() as pair:
        told, _ = await pair.same(ask, answer(BUSY, "x-request-id: req_1", status=f"{status} X"))
    assert (told["class"], told["request_id"]) == (kind, "req_1")
    assert (told["code"], told["param"], told["type"]) == ("c", "p", "t")


async def test_an_upstream_that_is_gone_is_retried_by_the_client():
    """Our 502 is an error that the client retries, and that says whose it is."""

    async def script(_reader, _writer, _received):
        raise ConnectionResetError

    async with Whole(script) as whole:
        base_url = f"http://127.0.0.1:{whole.port}/v1"
        async with Waits(base_url=base_url, api_key="k", default_headers=alice()) as client:
            with pytest.raises(openai.InternalServerError) as raised:
                await ask(client)
        assert len(whole.upstream.requests) == 3
    assert raised.value.type == "recollect_error"
    assert raised.value.code == "upstream_unreachable"


async def test_a_cut_stream_raises():
    """A program cannot take half an answer for a whole one."""
    whole_stream = events(*chunks({"content": "hel"}, {"content": "lo"}), done=False)
    cut = whole_stream.removesuffix(b"0\r\n\r\n") + chunk(CUT)
    async with paired() as pair:
        for base_url in (pair.direct, pair.proxied):
            pair.whole.answers = [cut]
            async with pair.client(base_url) as client:
                stream = aiter(await client.chat.completions.create(**ASK, stream=True))
                said = [(await anext(stream)).choices[0].delta.content for _ in range(3)]
                assert said == ["hel", "lo", None]
                with pytest.raises(openai.APIConnectionError):
                    await anext(stream)


async def test_the_client_without_asyncio():
    """The blocking client, its streams and its raw answers."""

    def work(base_url):
        with openai.OpenAI(base_url=base_url, api_key="k", default_headers=alice()) as client:
            whole = client.chat.completions.create(**ASK)
            with client.chat.completions.stream(**ASK) as parts:
                seen = [event.type for event in parts]
                final = parts.get_final_completion()
            return [plain(whole), seen, plain(final)]

    async with paired() as pair:
        results = []
        for base_url in (pair.direct, pair.proxied):
            pair.whole.answers = [HELLO, events(*chunks({"content": "hel"}, {"content": "lo"}))]
            results.append(await asyncio.to_thread(work, base_url))
    assert results[0] == results[1]
    assert results[1][2]["choices"][0]["message"]["content"] == "hello"
