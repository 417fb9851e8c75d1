"""The `openai` client's own behaviours: retries, errors, raw answers, cancellation, other routes."""

import asyncio

import openai
import pytest

from tests.proxy.wire import SECONDS, chunk
from tests.support.folding import rows
from tests.support.waiting import until

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


async def test_a_retry_that_succeeds_is_one_answer():
    """Each attempt is passed on once, with the client's own count and key."""
    async with paired() as pair:
        busy = answer(BUSY, "retry-after-ms: 1", status="429 R")
        result, received = await pair.same(ask, busy, busy, HELLO, max_retries=2)
    assert result["choices"][0]["message"]["content"] == "hello"
    assert [r.values("x-stainless-retry-count")[0] for r in received] == ["0", "1", "2"]


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


async def test_raw_answers_have_their_headers():
    """`with_raw_response` shows the upstream's headers, and ours beside them."""
    lines = ("x-request-id: r", "x-ratelimit-remaining-requests: 3", "openai-processing-ms: 5")

    async def call(client):
        raw = await client.chat.completions.with_raw_response.create(**ASK)
        names = [line.partition(":")[0] for line in lines]
        return [raw.status_code, [raw.headers[n] for n in names], raw.text, plain(raw.parse())]

    async with paired() as pair:
        got, _ = await pair.same(call, answer(completion({"content": "hello"}), *lines))
        assert got[1] == ["r", "3", "5"]
        async with pair.client(pair.proxied) as client:
            raw = await client.chat.completions.with_raw_response.create(**ASK)
    assert raw.headers["x-recollect-memory"] == "injected"
    assert raw.request_id == "r"


async def _never(reader, writer, _received):
    await reader.read()
    raise ConnectionResetError


async def _gone(whole):
    async with asyncio.timeout(SECONDS):
        await whole.upstream.hung_up.wait()


@rows("stream", [False, True])
async def test_a_cancelled_task_cancels_the_upstream(stream):
    """Cancelling a call before its answer leaves nothing running behind us."""
    async with Whole(_never) as whole:
        base_url = f"http://127.0.0.1:{whole.port}/v1"
        async with openai.AsyncOpenAI(base_url=base_url, api_key="k", max_retries=0) as client:
            task = asyncio.ensure_future(client.chat.completions.create(**ASK, stream=stream))
            await until(lambda: whole.upstream.requests, "the request")
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await _gone(whole)


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
