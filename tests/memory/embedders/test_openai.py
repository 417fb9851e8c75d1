import asyncio
import base64

import numpy as np
import pytest
from aiohttp import web

from recollect.memory.embedders import (
    FakeEmbedder,
    FakeEmbedderOptions,
    OpenAIEmbedderOptions,
    open_embedder,
)
from recollect.memory.embedders.openai import GuardedEmbedder, OpenAIEmbedder
from recollect.memory.model.errors import EmbeddingError, EmbeddingRefusedError
from recollect.memory.util.breaker import FAILURES, Breaker
from recollect.memory.util.openai_client import RETRIES
from tests.support.clock import Clock
from tests.support.folding import rows
from tests.support.waiting import until

from .contract import EmbedderContract

KEY = "sk-very-secret-0123456789"
DIM = 64


class Server:
    """A server of `/v1/embeddings` whose next answer a test may replace."""

    def __init__(self):
        self.requests = []
        self.answer = None

    async def handle(self, request):
        body = await request.json()
        self.requests.append((dict(request.headers), body))
        if self.answer is not None:
            return self.answer(body)
        if "" in body["input"]:
            return web.json_response({"error": {"message": "input is empty"}}, status=400)
        model = FakeEmbedder(FakeEmbedderOptions(dim=DIM))
        rows = 3 * await model.embed(body["input"])
        return reply(rows, base64_rows=body.get("encoding_format") == "base64")


def reply(rows, *, base64_rows=False):
    """Vectors as the API sends them, last first: only `index` tells the order."""
    encode = (lambda r: base64.b64encode(r.tobytes()).decode()) if base64_rows else list
    data = [
        {"object": "embedding", "index": i, "embedding": encode(row)} for i, row in enumerate(rows)
    ]
    if not base64_rows:
        data = [{**entry, "embedding": [float(x) for x in entry["embedding"]]} for entry in data]
    return web.json_response(
        {
            "object": "list",
            "data": data[::-1],
            "model": "m",
            "usage": {"prompt_tokens": 1, "total_tokens": 1},
        }
    )


@pytest.fixture
async def server(aiohttp_server):
    handler = Server()
    app = web.Application(client_max_size=1 << 26)
    app.router.add_post("/v1/embeddings", handler.handle)
    handler.url = str((await aiohttp_server(app)).make_url("/v1"))
    return handler


@pytest.fixture
async def embedder(server):
    embedder = await OpenAIEmbedder.open(
        OpenAIEmbedderOptions(base_url=server.url, api_key=KEY, model="m", dim=DIM)
    )
    yield embedder
    await embedder.close()


class TestContract(EmbedderContract):
    pass


async def test_batches(embedder, server):
    """No request holds more texts than any server takes."""
    await embedder.embed([f"text {i}" for i in range(80)])
    assert [len(body["input"]) for _, body in server.requests] == [32, 32, 16]


async def test_dimensions_are_sent_only_to_models_that_take_them(server):
    """`dimensions` goes to OpenAI's own third family and to nobody else."""
    for model in ("text-embedding-3-small", "bge-m3"):
        options = OpenAIEmbedderOptions(base_url=server.url, api_key=KEY, model=model, dim=DIM)
        embedder = await OpenAIEmbedder.open(options)
        await embedder.embed(["a"])
        await embedder.close()
    assert [body.get("dimensions") for _, body in server.requests] == [DIM, None]


def refuse(status):
    """An error that echoes the key, as some servers do; no retry, to keep the test short."""
    return lambda _: web.json_response(
        {"error": {"message": f"bad key {KEY}", "code": KEY}},
        status=status,
        headers={"x-should-retry": "false"},
    )


@rows(
    "answer, says",
    [
        (refuse(401), "HTTP 401"),
        (refuse(429), "HTTP 429"),
        (refuse(500), "HTTP 500"),
        (lambda _: web.Response(text="<html>"), "no list of embeddings"),
        (lambda _: web.Response(text="{", content_type="application/json"), "m: "),
        (lambda _: web.json_response({"data": []}), "no list of embeddings"),
        (lambda _: web.json_response({"object": "list"}), "no list of embeddings"),
        (lambda _: web.json_response({"data": [{"index": 0}]}), "m: |numbers|shape"),
        (lambda _: web.json_response({"data": [{"index": 0, "embedding": None}]}), "shape|numbers"),
        (lambda _: web.json_response({"data": [{"index": 0, "embedding": "%%"}]}), "m: |shape"),
        (lambda _: reply(np.eye(2, DIM)), "asked for 1 embeddings, got 2"),
        (lambda _: reply(np.ones((1, DIM + 1))), f"dim={DIM}"),
        (lambda _: reply(np.zeros((1, DIM))), "zero or not finite"),
        (lambda _: reply(np.full((1, DIM), np.nan)), "zero or not finite"),
        (lambda _: reply(np.full((1, DIM), 1e200)), "zero or not finite"),
        (lambda _: web.Response(text="[]", content_type="application/json"), "m: |no list"),
        (lambda _: web.Response(text="null", content_type="application/json"), "m: |no list"),
        (lambda _: web.Response(body=b"\xff\x00", content_type="application/json"), "m: |no list"),
        (lambda _: web.json_response({"data": None}), "m: |no list"),
        (lambda _: web.json_response({"data": [None]}), "m: |no list"),
        (
            lambda _: web.json_response({"data": [{"index": 0, "embedding": [None] * DIM}]}),
            "numb|fin",
        ),
        (lambda _: web.json_response({"data": [{"index": "x", "embedding": [1]}]}), "shape"),
        (lambda _: web.json_response({"data": [{"index": 0, "embedding": [[1] * DIM]}]}), "shape"),
        (lambda _: web.json_response({"data": [{"index": 0, "embedding": []}]}), "shape"),
        (
            lambda _: web.json_response({"data": [{"index": 0, "embedding": {"a": 1}}]}),
            "m: |shape|n",
        ),
    ],
)
async def test_bad_answers(embedder, server, answer, says):
    """Whatever is wrong with an answer is an EmbeddingError, and no error shows the key.

    The next answer is taken again.
    """
    server.answer = answer
    with pytest.raises(EmbeddingError, match=says) as caught:
        await embedder.embed(["a"])
    assert KEY not in str(caught.value)
    assert caught.value.__cause__ is None


@pytest.fixture
async def patient(server, monkeypatch):
    """An embedder with its retries, whose pauses are counted and not waited for."""
    monkeypatch.setattr("recollect.memory.embedders.openai.RETRIES", RETRIES)
    pauses = []

    async def sleep(seconds):
        pauses.append(seconds)

    monkeypatch.setattr("openai._base_client.anyio.sleep", sleep)
    embedder = await OpenAIEmbedder.open(
        OpenAIEmbedderOptions(base_url=server.url, api_key=KEY, model="m", dim=DIM)
    )
    embedder.pauses = pauses
    yield embedder
    await embedder.close()


async def test_it_is_tried_three_times(patient, server):
    """From one second on, as a model is."""
    for status in (429, 500, 503):
        server.requests.clear()
        patient.pauses.clear()
        server.answer = lambda _, status=status: web.Response(status=status)
        with pytest.raises(EmbeddingError, match=f"HTTP {status}"):
            await patient.embed([f"{status}"])
        assert len(server.requests) == 3
        first, second = patient.pauses
        assert 1 <= first <= 1.25
        assert 2 <= second <= 2.5


async def test_the_pause_is_the_one_that_the_server_asks_for(patient, server):
    """Up to a minute; a call that it puts off for longer has failed."""
    answers = [web.Response(status=429, headers={"retry-after": "7"})]
    server.answer = lambda _: answers.pop() if answers else reply(np.eye(1, DIM))
    await patient.embed(["a"])
    assert (len(server.requests), patient.pauses) == (2, [7])
    server.answer = lambda _: web.Response(status=429, headers={"retry-after": "61"})
    with pytest.raises(EmbeddingError, match="HTTP 429"):
        await patient.embed(["b"])
    assert len(server.requests) == 3


async def test_a_text_that_the_server_refuses_is_no_failure_of_the_server(server):
    """However often: the breaker stays closed, and other texts are embedded."""
    embedder = await open_embedder(OpenAIEmbedderOptions(base_url=server.url, model="m", dim=DIM))
    good = server.answer
    server.answer = lambda _: web.Response(status=413)
    for _ in range(FAILURES + 1):
        with pytest.raises(EmbeddingRefusedError):
            await embedder.embed(["a"])
    server.answer = good
    assert len(await embedder.embed(["b"])) == 1
    await embedder.close()


async def test_a_server_that_does_not_answer(aiohttp_server, unused_tcp_port, monkeypatch):
    """Within the time, or that cannot be reached, is an EmbeddingError."""
    gone = asyncio.Event()
    monkeypatch.setattr("recollect.memory.embedders.openai.ANSWER_SECONDS", 0.05)

    async def hang(_):
        await gone.wait()
        return web.Response()

    app = web.Application()
    app.router.add_post("/v1/embeddings", hang)
    url = str((await aiohttp_server(app)).make_url("/v1"))
    options = OpenAIEmbedderOptions(base_url=url, model="m", dim=DIM)
    embedder = await OpenAIEmbedder.open(options)
    with pytest.raises(EmbeddingError, match="Timeout"):
        await embedder.embed(["a"])
    gone.set()
    await embedder.close()
    options = OpenAIEmbedderOptions(base_url=f"http://127.0.0.1:{unused_tcp_port}/v1", model="m")
    embedder = await OpenAIEmbedder.open(options)
    with pytest.raises(EmbeddingError, match="APIConnectionError"):
        await embedder.embed(["a"])
    await embedder.close()


class Down:
    id, dim = "down", 3

    def __init__(self):
        self.calls, self.works, self.closed = 0, False, False

    async def embed(self, texts):
        self.calls += 1
        if not self.works:
            raise EmbeddingError("no")
        return np.ones((len(texts), 3), np.float32)

    async def close(self):
        self.closed = True


async def test_a_server_that_is_down_is_left_alone():
    """After the failures in a row calls fail at once; one call after the pause ends it."""
    inner, clock = Down(), Clock()
    one = GuardedEmbedder(inner)
    one._breaker = Breaker(failures=2, seconds=30, clock=clock)
    for _ in range(5):
        with pytest.raises(EmbeddingError):
            await one.embed(["x"])
    assert inner.calls == 2
    clock.now += 30
    inner.works = True
    assert (await one.embed(["x", "y"])).shape == (2, 3)
    assert (await one.embed(["x"])).shape == (1, 3)
    assert (one.id, one.dim) == ("down", 3)
    await one.close()
    assert inner.closed


async def test_a_hung_server_is_left_with_the_last_caller(server):
    """A request nobody waits for is cancelled, its place is free again; closing cancels the rest."""
    begun, left, go = [], [], asyncio.Event()

    async def slowly(texts):
        begun.append(texts)
        try:
            await go.wait()
        except asyncio.CancelledError:
            left.append(texts)
            raise

    embedder = await OpenAIEmbedder.open(
        OpenAIEmbedderOptions(base_url=server.url, model="m", dim=DIM)
    )
    embedder._ask = slowly

    def ask(*texts):
        return [asyncio.ensure_future(embedder.embed([text])) for text in texts]

    calls = ask(*"abcdefghij")
    await until(lambda: begun, "a request")
    for call in calls:
        call.cancel()
    await asyncio.gather(*calls, return_exceptions=True)
    assert sorted(left) == sorted(begun)
    late = ask("late")
    await until(lambda: begun[-1] == ["late"], "the next")
    await embedder.close()
    with pytest.raises(EmbeddingError, match="closed"):
        await late[0]
    assert sorted(left) == sorted(begun)
