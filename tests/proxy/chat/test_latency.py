"""Budgeted latency: parts of memory that hang, refuse or are overrun never hold or fail a chat.

No test here looks at a clock. What hangs, hangs for ever: that a chat is answered at all shows that
it was not held.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from unittest import mock

import aiohttp
import pytest
from aiohttp import web

from recollect.config import load_settings
from recollect.filters.gate.reasons import GateReason
from recollect.memory.embedders import FakeEmbedder, FakeEmbedderOptions
from recollect.memory.embedders.local import LocalEmbedder
from recollect.memory.embedders.local.embedder import WORKERS
from recollect.memory.engine import opening
from recollect.memory.model.errors import StoreError
from recollect.memory.util.breaker import Breaker
from recollect.proxy.serve import build_runner
from tests.support.clock import Telling
from tests.support.memories import InMemoryMemories

from ..chatting import COMPLETION, PATH, said
from ..wire import SECONDS, RawClient, RawUpstream, request, response

BODY = b'{ "model":"m",\t"odd" : 1e5, "messages":[ {"role":"user","content":"Where do I live?"} ] }'
CHAT = request("POST", PATH, BODY, "x-recollect-user: alice").replace(b"proxy.test", b"localhost")
DIM = 16
FAILURES = 3
EMPTY = ("empty", "no_memories", "0")


def degraded(reason):
    return ("degraded", reason, "0")


def _searches(_messages):
    return GateReason.DEFAULT


class Between:
    """The whole proxy in this process, between a scripted upstream and raw clients."""

    def __init__(self, data_dir, **flags):
        self._flags = {
            "data_dir": str(data_dir),
            "learn.enabled": False,
            "embedder.backend": "fake",
            "embedder.dim": DIM,
            "index.backend": "exact",
            "recall.deadline_ms": 200,
            **{key.replace("__", "."): value for key, value in flags.items()},
        }
        self.upstream = RawUpstream(response(COMPLETION))
        self._users = itertools.count()

    async def __aenter__(self):
        # Whatever is said needs a memory.
        self._gate = mock.patch("recollect.filters.gate.filter.decide", _searches)
        self._gate.start()
        await self.upstream.__aenter__()
        # By name: resolving one takes a thread of the loop's own pool.
        url = self.upstream.base_url.replace("127.0.0.1", "localhost")
        flags = {"upstream.base_url": url, **self._flags}
        self._runner = build_runner(load_settings(environ={}, flags=flags))
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self.port = self._runner.addresses[0][1]
        return self

    async def __aexit__(self, *_):
        await self._runner.cleanup()
        await self.upstream.__aexit__()
        self._gate.stop()

    async def chat(self):
        """One chat: it works and goes up as it came, whatever memory did; what was said of that.

        Of somebody new each time: whoever is known is answered for without the store.
        """
        async with RawClient(self.port) as client:
            await client.send(CHAT.replace(b"alice", b"alice%d" % next(self._users)))
            seen = await client.answer()
        assert (seen.status, seen.body, seen.ended) == (200, COMPLETION, True)
        assert {received.body for received in self.upstream.requests} == {BODY}
        return said(seen)

    async def chats(self, count):
        """So many after each other."""
        return [await self.chat() for _ in range(count)]

    async def ready(self):
        url = f"http://127.0.0.1:{self.port}/readyz"
        async with aiohttp.ClientSession() as session, session.get(url) as answer:
            assert answer.status == 200
            return (await answer.json())["parts"]["recall"]


@pytest.fixture
def clock(monkeypatch):
    """The breaker's clock, in seconds: it stands still unless a test moves it."""
    now = [0.0]
    # Every late call is one of a part that is dead, however lately it answered.
    monkeypatch.setattr("recollect.proxy.chat.guard.ALIVE_SECONDS", 0)
    monkeypatch.setattr(
        "recollect.proxy.chat.bounds.Breaker",
        partial(Breaker, failures=FAILURES, clock=Telling(seconds=lambda: now[0])),
    )
    return now


async def until(condition):
    async with asyncio.timeout(SECONDS):
        while not condition():
            await asyncio.sleep(0.001)


async def recovered(product, clock):
    """Chats until recall works again; each time the breaker's longest pause has passed."""
    async with asyncio.timeout(SECONDS):
        while (outcome := await product.chat()) != EMPTY:
            assert outcome[0] == "degraded"
            clock[0] += 300
    assert await product.ready() == "ok"


class Embeddings:
    """A server of `/v1/embeddings` that answers, or takes requests and never does.

    `left` counts those it did not answer before the client hung up.
    """

    def __init__(self):
        self.well = False
        self.left = 0
        self.server = RawUpstream(self._answer)

    async def _answer(self, reader, writer, _received):
        if not self.well:
            await reader.read(1)
            self.left += 1
            raise ConnectionResetError
        vector = [1.0] + [0.0] * (DIM - 1)
        data = [{"object": "embedding", "index": 0, "embedding": vector}]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        answer = {"object": "list", "data": data, "model": "m", "usage": usage}
        writer.write(response(json.dumps(answer).encode(), "Content-Type: application/json"))


async def test_an_embedder_that_never_answers(tmp_path, clock):
    """It is asked no more, then once in a while, and used again when it is well.

    Not one call goes on after its request: every connection is hung up.
    """
    remote = Embeddings()
    async with remote.server:
        product = Between(
            tmp_path,
            embedder__backend="openai",
            embedder__base_url=remote.server.base_url,
            embedder__model="m",
            recall__deadline_ms=1000,  # when it is well, a slow machine has to be in time
        )
        async with product:
            assert await product.ready() == "ok"
            assert await product.chats(FAILURES) == [degraded("deadline")] * FAILURES
            assert await product.chats(5) == [degraded("circuit_open")] * 5
            assert await product.ready() == "circuit_open"
            # A slow machine may give up before it has asked.
            asked = len(remote.server.requests)
            assert 0 < asked <= FAILURES
            clock[0] += 5
            probed = await asyncio.gather(*(product.chat() for _ in range(5)))
            assert Counter(probed) == {degraded("deadline"): 1, degraded("circuit_open"): 4}
            assert asked <= len(remote.server.requests) <= asked + 1
            await until(lambda: remote.left == len(remote.server.requests))
            remote.well = True
            await recovered(product, clock)
            assert await product.chats(3) == [EMPTY] * 3


class Blocking:
    """A model whose work takes its thread until it is let go."""

    dim = 384

    def __init__(self):
        self.free = threading.Event()
        self.calls = 0

    def tokenize(self, texts):
        self.calls += 1
        self.free.wait()
        return [[1] for _ in texts]

    def run(self, texts):
        vectors = FakeEmbedder(FakeEmbedderOptions(dim=384)).embed(["x" for _ in texts])
        try:
            vectors.send(None)
        except StopIteration as done:
            return done.value

    def close(self):
        self.free.set()


async def test_an_embedder_whose_threads_are_all_taken(tmp_path, clock, monkeypatch):
    """Its threads hang, requests do not; what they asked for is never run once they are gone."""
    model = Blocking()
    model.free.set()  # the start waits for the parts to be warm
    embedder = LocalEmbedder(model, ThreadPoolExecutor(WORKERS), 32)

    async def open_embedder(_options):
        return embedder

    async def unprepared(_self):
        """No examples are embedded beside the requests."""

    monkeypatch.setattr("recollect.memory.engine.opening.open_embedder", open_embedder)
    monkeypatch.setattr("recollect.memory.recall.ClientRequests.prepare", unprepared)
    monkeypatch.setattr("recollect.memory.learn.roles.Stage.prepare", unprepared)
    # What was said is embedded afterwards, by calls of its own.
    monkeypatch.setattr("recollect.memory.statements.indexer.StatementIndexer.embed", unprepared)
    patient = partial(Breaker, failures=1000, clock=Telling(seconds=lambda: clock[0]))
    monkeypatch.setattr("recollect.proxy.chat.bounds.Breaker", patient)
    async with Between(
        tmp_path,
        recall__max_concurrent=32,
        recall__profile__enabled=False,
    ) as product:
        model.free.clear()
        model.calls = 0
        try:
            outcomes = await asyncio.gather(*(product.chat() for _ in range(20)))
            outcomes += await product.chats(3)
            assert outcomes == [degraded("deadline")] * 23
            assert (model.calls, embedder._pool._work_queue.qsize()) == (WORKERS, 0)
        finally:
            model.free.set()
        await recovered(product, clock)
        assert model.calls <= WORKERS + 2


class Store(InMemoryMemories):
    """One whose reads can be told to fail or to wait."""

    def __init__(self, *, dim):
        super().__init__(dim=dim)
        self.error = None
        self.go = asyncio.Event()
        self.go.set()
        self.calls = self.now = self.most = 0

    async def load(self, scope, **more):
        if scope.run_id == "warm-up":
            return []
        self.calls += 1
        self.now += 1
        self.most = max(self.most, self.now)
        try:
            await self.go.wait()
            if self.error is not None:
                raise self.error
            return await super().load(scope, **more)
        finally:
            self.now -= 1


@pytest.fixture
def store(monkeypatch):
    store = Store(dim=DIM)

    async def opened(*_given, **_more):
        return store

    monkeypatch.setattr(opening, "open_memories", opened)
    return store


@pytest.mark.parametrize(
    ("error", "reason"),
    [(StoreError("down"), "store_unavailable"), (ZeroDivisionError(), "internal_error")],
)
async def test_a_store_that_fails_at_once(tmp_path, clock, store, error, reason):
    """However fast it fails: it is asked no more, and used again when it is well."""
    store.error = error
    async with Between(tmp_path, recall__deadline_ms=60_000) as product:
        expected = [degraded(reason)] * FAILURES + [degraded("circuit_open")] * 5
        assert await product.chats(FAILURES + 5) == expected
        assert store.calls == FAILURES
        store.error = None
        clock[0] += 5
        await recovered(product, clock)
        assert await product.chats(3) == [EMPTY] * 3


async def test_recalls_beyond_the_bound_are_skipped(tmp_path, clock, store, monkeypatch):
    """Of 200 chats at once four recall; the others do not wait for them long, and all succeed."""
    monkeypatch.setattr("recollect.proxy.chat.bounds.WAIT", 0.001)
    store.go.clear()
    product = Between(tmp_path, recall__max_concurrent=4, recall__deadline_ms=60_000)
    async with product:
        chats = [asyncio.ensure_future(product.chat()) for _ in range(200)]
        await until(lambda: sum(chat.done() for chat in chats) >= 196)
        assert (store.now, store.calls) == (4, 4)
        store.go.set()
        assert Counter(await asyncio.gather(*chats)) == {degraded("busy"): 196, EMPTY: 4}
        assert store.most == 4
        assert await product.ready() == "ok"
        assert await product.chat() == EMPTY


async def _begin_and_leave(product, begun, number):
    """Ask until there is room for the recall, and hang up once it has begun."""
    user = b"client%d" % number
    while not begun():
        async with RawClient(product.port) as client:
            await client.send(CHAT.replace(b"alice", user))
            answered = asyncio.ensure_future(client.answer())
            await until(lambda a=answered: begun() or a.done())
            answered.cancel()


async def test_clients_that_leave_hold_nothing(tmp_path, clock, store, monkeypatch):
    """Their recalls end with them: no slot stays taken, and they are no sign of a dead store."""
    monkeypatch.setattr("recollect.proxy.chat.bounds.WAIT", 0.0)
    store.go.clear()
    product = Between(tmp_path, recall__max_concurrent=1, recall__deadline_ms=60_000)
    async with product:
        for number in range(1, FAILURES + 2):
            await _begin_and_leave(product, lambda n=number: store.calls >= n, number)
        assert await product.ready() == "ok"
        store.go.set()
        assert await product.chat() == EMPTY
