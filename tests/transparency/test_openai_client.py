"""The `openai` client's own behaviours: retries, errors, raw answers, cancellation, other routes."""

import asyncio
import base64
import struct

import openai
import pytest

from tests.proxy.wire import SECONDS, chunk, response

from .pair import (
    ALICE,
    CUT,
    answer,
    chunks,
    completion,
    events,
    first_tries,
    paired,
    plain,
)
from .whole import QUESTION, STREAM_HEAD, Whole

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


RETRIES = {
    "retry-after": (("retry-after: 7",), "429 R", [7, 7]),
    "retry-after-ms": (("retry-after-ms: 2500", "retry-after: 9"), "503 S", [2.5, 2.5]),
    "date": (("retry-after: Sat, 01 Jan 2000 00:00:00 GMT",), "500 E", None),
    "too long": (("retry-after: 121",), "429 R", []),
    "told not to": (("x-should-retry: false", "retry-after: 1"), "500 E", []),
    "told to": (("x-should-retry: true", "retry-after-ms: 5"), "400 B", [0.005, 0.005]),
    "not one to retry": ((), "404 N", []),
}


@pytest.mark.parametrize(("headers", "status", "waits"), RETRIES.values(), ids=RETRIES)
async def test_retries_follow_the_upstreams_hints(headers, status, waits):
    """The client waits as long as the upstream asked for and tries as often as it would directly."""
    async with paired() as pair:
        counts = []
        for base_url in (pair.direct, pair.proxied):
            before = len(pair.whole.upstream.requests)
            pair.whole.answers = [answer(BUSY, *headers, status=status)]
            async with Waits(base_url=base_url, api_key="k", default_headers=ALICE) as client:
                with pytest.raises(openai.APIStatusError):
                    await ask(client)
            counts.append(len(first_tries(pair.whole.upstream.requests[before:])))
            assert len(client.waits) == counts[-1] - 1
            assert waits is None or client.waits == waits
    assert counts[0] == counts[1]


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


@pytest.mark.parametrize(("status", "kind"), ERRORS.items())
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
        async with Waits(base_url=base_url, api_key="k", default_headers=ALICE) as client:
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


async def test_an_error_event_raises():
    """An error in the middle of a stream is one here too."""

    async def call(client):
        return [part async for part in await client.chat.completions.create(**ASK, stream=True)]

    async with paired() as pair:
        told, _ = await pair.same(call, events(*chunks({"content": "a"}), BUSY))
    assert told["class"] is openai.APIError
    assert told["code"] == "c"


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


async def test_streamed_answers_by_line_and_byte():
    """`with_streaming_response` gives the same lines, however they were cut."""

    async def call(client):
        async with client.chat.completions.with_streaming_response.create(
            **ASK, stream=True
        ) as got:
            return [line async for line in got.iter_lines()]

    async with paired() as pair:
        lines, _ = await pair.same(call, events(*chunks({"content": "h\u00e9"})))
    assert lines[-2:] == ["data: [DONE]", ""]


async def _never(reader, writer, _received):
    await reader.read()
    raise ConnectionResetError


async def _begins(reader, writer, _received):
    writer.write(
        STREAM_HEAD + chunk(b'data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n')
    )
    await reader.read()
    raise ConnectionResetError


async def _gone(whole):
    async with asyncio.timeout(SECONDS):
        await whole.upstream.hung_up.wait()


@pytest.mark.parametrize("stream", [False, True])
async def test_a_cancelled_task_cancels_the_upstream(stream):
    """Cancelling a call before its answer leaves nothing running behind us."""
    async with Whole(_never) as whole:
        base_url = f"http://127.0.0.1:{whole.port}/v1"
        async with openai.AsyncOpenAI(base_url=base_url, api_key="k", max_retries=0) as client:
            task = asyncio.ensure_future(client.chat.completions.create(**ASK, stream=stream))
            while not whole.upstream.requests:
                await asyncio.sleep(0.005)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await _gone(whole)


async def test_a_closed_stream_cancels_the_upstream():
    """Leaving a stream early ends it upstream."""
    async with Whole(_begins) as whole:
        base_url = f"http://127.0.0.1:{whole.port}/v1"
        async with openai.AsyncOpenAI(base_url=base_url, api_key="k", max_retries=0) as client:
            async with await client.chat.completions.create(**ASK, stream=True) as parts:
                assert (await anext(aiter(parts))).choices[0].delta.content == "a"
            await _gone(whole)


async def test_the_clients_timeout_is_the_clients():
    """A client that waits no longer gets its own error, and the upstream hears of it."""
    async with Whole(_never) as whole:
        base_url = f"http://127.0.0.1:{whole.port}/v1"
        async with openai.AsyncOpenAI(base_url=base_url, api_key="k", max_retries=0) as client:
            with pytest.raises(openai.APITimeoutError):
                await client.chat.completions.create(**ASK, timeout=0.2)
            await _gone(whole)


FILE = {
    "id": "f",
    "object": "file",
    "bytes": 3,
    "created_at": 1,
    "filename": "x",
    "purpose": "batch",
}
VECTOR = base64.b64encode(struct.pack("<3f", 0.5, 0.25, -1.0)).decode()
EMBEDDED = {
    "object": "list",
    "model": "m",
    "data": [{"object": "embedding", "index": 0, "embedding": VECTOR}],
    "usage": {"prompt_tokens": 1, "total_tokens": 1},
}
MODELS = {"object": "list", "data": [{"id": "m", "object": "model", "created": 1, "owned_by": "o"}]}
BATCH = {
    "id": "b",
    "object": "batch",
    "endpoint": "/v1/chat/completions",
    "input_file_id": "f",
    "completion_window": "24h",
    "status": "validating",
    "created_at": 1,
}
SOUND = bytes(range(256)) * 40


async def _content(client):
    return (await client.files.content("f")).content


async def _speech(client):
    got = await client.audio.speech.create(model="tts", voice="alloy", input="Hi")
    return await got.aread()


async def _models(client):
    return [model async for model in client.models.list()]


OTHERS = {
    "files.create": (lambda c: c.files.create(file=("x", SOUND), purpose="batch"), answer(FILE)),
    "files.content": (_content, response(SOUND, "Content-Type: a/b")),
    "files.delete": (
        lambda c: c.files.delete("f"),
        answer({"id": "f", "object": "file", "deleted": True}),
    ),
    "audio.transcriptions.create": (
        lambda c: c.audio.transcriptions.create(model="w", file=("a.wav", SOUND)),
        answer({"text": "hello"}),
    ),
    "audio.speech.create": (_speech, response(SOUND, "Content-Type: audio/mpeg")),
    "embeddings.create": (lambda c: c.embeddings.create(model="m", input="Hi"), answer(EMBEDDED)),
    "models.list": (_models, answer(MODELS)),
    "models.retrieve": (lambda c: c.models.retrieve("a/b c"), answer(MODELS["data"][0])),
    "batches.create": (
        lambda c: c.batches.create(
            completion_window="24h", endpoint="/v1/chat/completions", input_file_id="f"
        ),
        answer(BATCH),
    ),
    "images.generate": (
        lambda c: c.images.generate(prompt="cat"),
        answer({"created": 1, "data": [{"b64_json": "aGk="}]}),
    ),
    "moderations.create": (
        lambda c: c.moderations.create(input="Hi"),
        answer({"id": "m", "model": "m", "results": []}),
    ),
    "completions.create": (
        lambda c: c.completions.create(model="m", prompt="Hi", logprobs=1),
        answer({"id": "c", "object": "text_completion", "created": 1, "model": "m", "choices": []}),
    ),
}


@pytest.mark.parametrize(("call", "given"), OTHERS.values(), ids=OTHERS)
async def test_other_routes(call, given):
    """What memory has no part in gives the same, and the upstream got the same body."""
    async with paired() as pair:
        _, asked = await pair.through(pair.direct, call, given)
        _, received = await pair.same(call, given)
    assert [_body(r) for r in received] == [_body(r) for r in asked]


def _body(received):
    """A body, without the boundary that the client made up for it."""
    kind = "".join(received.values("content-type"))
    boundary = kind.partition("boundary=")[2] or "no boundary"
    return received.body.replace(boundary.encode(), b"boundary")


async def test_embeddings_are_decoded():
    """The client asks for base64 by itself, and gets numbers."""
    async with paired() as pair:
        call, given = OTHERS["embeddings.create"]
        result, [received] = await pair.same(call, given)
    assert result["data"][0]["embedding"] == [0.5, 0.25, -1.0]
    assert b'"encoding_format":"base64"' in received.body


async def test_the_client_without_asyncio():
    """The blocking client, its streams and its raw answers."""

    def work(base_url):
        with openai.OpenAI(base_url=base_url, api_key="k", default_headers=ALICE) as client:
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
