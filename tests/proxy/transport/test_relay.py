"""Answers go to the client byte for byte, whatever the upstream does."""

import asyncio
import gzip

import pytest
from aiohttp.http import SERVER_SOFTWARE
from multidict import CIMultiDict

from recollect.config.server import UpstreamOptions
from recollect.proxy.transport.relay import WHOLE_BYTES, relay
from recollect.proxy.transport.upstream import Upstream

from ..wire import (
    SECONDS,
    RawClient,
    RawUpstream,
    Served,
    chunk,
    chunked,
    request,
    response,
    then_close,
)

ASK = request("GET", "/v1/x")
SSE = "Content-Type: text/event-stream"

STREAMS = {
    "crlf and comments": (b": ping\r\n\r\ndata: {}\r\n\r\n", b"data: [DONE]\r\n\r\n"),
    "split utf-8": ("data: caf\u00e9\n\n".encode()[:10], "data: caf\u00e9\n\n".encode()[10:]),
    "no end mark": (b"data: {}\n\n",),
    "split end mark": (b"data: {}\n\ndata: [DO", b"NE]\n\n"),
    "more after the end mark": (b"data: [DONE]\n\n", b": late\n\n", b"data: {}\n\n"),
    "odd": (b"\xff\x00\r\r\n\n", b"data:", b"\xe2\x80", b"\xa8\n\n"),
}


class SpyTee:
    """Notes what it is told."""

    def __init__(self, at_finish=None):
        self.calls = []
        self.chunks = b""
        self._at_finish = at_finish

    def feed(self, chunk):
        self.chunks += chunk
        return b"[DONE]" in self.chunks

    async def finish(self, *, complete):
        if self._at_finish is not None:
            await self._at_finish()
        self.calls.append(complete)

    def abandon(self):
        self.calls.append("abandoned")


class Relaying:
    """The relay between a scripted upstream and raw clients."""

    def __init__(self, script, *, tee=None, extra=None, **options):
        self.server = RawUpstream(script)
        self.tee = tee
        self._extra = extra
        self._options = options

    async def __aenter__(self):
        await self.server.__aenter__()
        self._upstream = Upstream(UpstreamOptions(base_url=self.server.base_url, **self._options))
        self._served = Served(self._handle)
        await self._served.__aenter__()
        self.port = self._served.port
        self.ask = self._served.ask
        return self

    async def __aexit__(self, *_):
        await self._served.__aexit__()
        await self._upstream.close()
        await self.server.__aexit__()

    async def _handle(self, got):
        answer = await self._upstream.send(got.method, got.raw_path, CIMultiDict())
        return await relay(got, answer, extra=self._extra, tee=self.tee)


@pytest.mark.parametrize("chunks", STREAMS.values(), ids=STREAMS.keys())
@pytest.mark.parametrize("with_tee", [False, True])
async def test_streams_are_byte_identical(chunks, with_tee):
    """Line ends, comments, split characters, a missing end mark: the bytes are the upstream's."""
    tee = SpyTee() if with_tee else None
    async with Relaying(chunked(*chunks, headers=(SSE,)), tee=tee) as relaying:
        seen = await relaying.ask(ASK)
    assert (seen.body, seen.ended) == (b"".join(chunks), True)
    if tee is not None:
        assert tee.chunks == seen.body
        assert set(tee.calls) == {True}


async def test_events_are_passed_on_as_they_come():
    """The first event is at the client while the upstream still holds the second."""
    go_on = asyncio.Event()

    async def script(_reader, writer, _received):
        writer.write(chunked(b"data: 1\n\n", headers=(SSE,), final=False))
        await writer.drain()
        await go_on.wait()
        writer.write(chunk(b"data: 2\n\n") + b"0\r\n\r\n")

    async with Relaying(script, tee=SpyTee()) as relaying, RawClient(relaying.port) as client:
        await client.send(ASK)
        async with asyncio.timeout(SECONDS):
            await client.reader.readuntil(b"data: 1\n\n")
            go_on.set()
            await client.reader.readuntil(b"data: 2\n\n\r\n0\r\n\r\n")


@pytest.mark.parametrize("size", [0, 1, 1000, WHOLE_BYTES, WHOLE_BYTES + 1, 3 * WHOLE_BYTES])
async def test_bodies_of_known_length(size):
    """A length stays the length, for bodies that are sent whole and for those that are streamed."""
    body = bytes(i % 251 for i in range(size))
    tee = SpyTee()
    async with Relaying(response(body, "Content-Type: a/b"), tee=tee) as relaying:
        seen = await relaying.ask(ASK)
    assert (seen.body, seen.ended) == (body, True)
    assert seen.head.values("content-length") == [str(size)]
    assert tee.chunks == body
    assert tee.calls
    assert set(tee.calls) == {True}


@pytest.mark.parametrize(
    "answer",
    [
        chunked(b"data: 1\n\n", headers=(SSE,), final=False),
        chunked(b"data: 1\n\n", headers=(SSE,), final=False) + b"5\r\nab",
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\ndata: 1\n\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % (WHOLE_BYTES * 2) + b"x" * 5000,
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n",
    ],
    ids=["no final chunk", "cut chunk", "short", "large and short", "nothing"],
)
@pytest.mark.parametrize("with_tee", [False, True])
async def test_a_cut_answer_looks_cut(answer, with_tee):
    """The client never sees a clean end that the upstream did not send."""
    tee = SpyTee() if with_tee else None
    async with Relaying(then_close(answer), tee=tee) as relaying:
        seen = await relaying.ask(ASK)
    assert not seen.ended
    if tee is not None:
        assert tee.calls == [False]


@pytest.mark.parametrize("with_tee", [False, True])
async def test_broken_framing_looks_cut(with_tee):
    """An upstream whose chunks stop making sense ended its answer as little as one that is gone."""
    go_on = asyncio.Event()

    async def script(_reader, writer, _received):
        writer.write(chunked(b"data: 1\n\n", headers=(SSE,), final=False))
        await writer.drain()
        await go_on.wait()
        writer.write(b"zz\r\nnot a chunk\r\n")

    tee = SpyTee() if with_tee else None
    async with Relaying(script, tee=tee) as relaying, RawClient(relaying.port) as client:
        await client.send(ASK)
        async with asyncio.timeout(SECONDS):
            await client.reader.readuntil(b"data: 1\n\n\r\n")
            go_on.set()
            assert await client.reader.read() == b""
    if tee is not None:
        assert tee.calls == [False]


async def test_an_upstream_that_falls_silent_looks_cut():
    """An answer that stops moving for too long ends as broken, not as complete."""

    async def script(_reader, writer, _received):
        writer.write(chunked(b"data: 1\n\n", headers=(SSE,), final=False))
        await writer.drain()
        await asyncio.sleep(3600)

    tee = SpyTee()
    async with Relaying(script, tee=tee, idle_seconds=0.2) as relaying:
        seen = await relaying.ask(ASK)
    assert (seen.body, seen.ended, tee.calls) == (b"data: 1\n\n", False, [False])


@pytest.mark.parametrize("with_tee", [False, True])
async def test_a_client_that_leaves_ends_the_upstreams_work(with_tee):
    """The upstream's connection closes when the client's does, while an answer streams."""
    tee = SpyTee() if with_tee else None

    async def script(_reader, writer, _received):
        writer.write(chunked(b"data: 1\n\n", headers=(SSE,), final=False))
        await writer.drain()

    async with Relaying(script, tee=tee) as relaying:
        async with RawClient(relaying.port) as client:
            await client.send(ASK)
            await client.reader.readuntil(b"data: 1\n\n")
        async with asyncio.timeout(SECONDS):
            await relaying.server.hung_up.wait()
    if tee is not None:
        assert tee.calls == ["abandoned"]


async def test_a_client_that_leaves_before_the_answer_ends_the_upstreams_work():
    """The same while the upstream still thinks."""
    asked = asyncio.Event()

    async def script(_reader, _writer, _received):
        asked.set()

    async with Relaying(script) as relaying:
        async with RawClient(relaying.port) as client:
            await client.send(ASK)
            await asked.wait()
        async with asyncio.timeout(SECONDS):
            await relaying.server.hung_up.wait()


@pytest.mark.parametrize("status", ["204 No Content", "304 Not Modified"])
async def test_statuses_without_body(status):
    """They arrive with their headers, without body or invented length, on a usable connection."""
    answer = f"HTTP/1.1 {status}\r\nETag: x\r\n\r\n".encode()
    async with Relaying(answer, tee=SpyTee()) as relaying, RawClient(relaying.port) as client:
        for _ in range(2):
            await client.send(ASK)
            seen = await client.answer()
            assert seen.head.line == f"HTTP/1.1 {status}"
            names = {name.lower() for name, _ in seen.head.headers}
            assert names == {"etag", "date"}


async def test_head():
    """A HEAD answer keeps the length it tells of and has no body."""
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 1234\r\nContent-Type: a/b\r\n\r\n"
    async with Relaying(head) as relaying, RawClient(relaying.port) as client:
        for _ in range(2):
            await client.send(request("HEAD", "/v1/x"))
            seen = await client.answer(head_only=True)
            assert seen.head.values("content-length") == ["1234"]
            assert seen.head.values("content-type") == ["a/b"]


async def test_head_without_a_length():
    """Nothing about a body is invented for HEAD."""
    async with Relaying(b"HTTP/1.1 200 OK\r\nX-A: b\r\n\r\n") as relaying:
        seen = await relaying.ask(request("HEAD", "/v1/x"), head_only=True)
    assert {name.lower() for name, _ in seen.head.headers} <= {"x-a", "date"}


@pytest.mark.parametrize(
    "status",
    [
        "400 Bad Request",
        "401 Unauthorized",
        "429 Too Many Requests",
        "500 Internal Server Error",
        "503 Overloaded Indeed",
        "529 Site is overloaded",
        "299 ",
    ],
)
async def test_errors_of_the_upstream_are_its_own(status):
    """Status, reason, retry-after and body pass; we add nothing and explain nothing."""
    body = b'{"error": {"message": "no \xff"} }'
    answer = response(body, "Retry-After: 7", "x-ratelimit-reset: 1s", status=status)
    async with Relaying(answer, tee=None) as relaying:
        seen = await relaying.ask(ASK)
    assert seen.head.line == f"HTTP/1.1 {status}"
    assert seen.body == body
    assert seen.head.values("retry-after") == ["7"]


async def test_redirects_are_the_clients_business():
    """A Location is passed on, not followed: the credential goes nowhere else."""
    answer = response(b"", "Location: https://elsewhere.test/", status="302 Found")
    async with Relaying(answer) as relaying:
        seen = await relaying.ask(ASK)
        assert len(relaying.server.requests) == 1
    assert (seen.status, seen.head.values("location")) == (302, ["https://elsewhere.test/"])


@pytest.mark.parametrize("coding", ["gzip", "br", "zstd", "nonsense"])
async def test_encoded_bodies_are_not_decoded(coding):
    """Bytes and header stay together, even when the bytes are not what the header says."""
    body = gzip.compress(b"hello" * 100)
    async with Relaying(response(body, f"Content-Encoding: {coding}"), tee=SpyTee()) as relaying:
        seen = await relaying.ask(ASK)
    assert (seen.body, seen.head.values("content-encoding")) == (body, [coding])


async def test_headers_keep_order_case_and_repetition():
    """What the upstream said is what the client reads; nothing is invented but the date."""
    lines = ["X-b: 1", "Set-Cookie: a=1", "x-A: 2", "Set-Cookie: b=2; Path=/", "Server: other/1"]
    async with Relaying(response(b"{}", *lines)) as relaying:
        seen = await relaying.ask(ASK)
    passed = [f"{n}: {v}" for n, v in seen.head.headers if n not in {"Date", "Content-Length"}]
    assert passed == lines


@pytest.mark.parametrize("streamed", [False, True])
async def test_no_header_of_the_librarys_own(streamed):
    """No Server, no Content-Type: what the upstream did not say is not said."""
    answer = chunked(b"hello") if streamed else response(b"hello")
    async with Relaying(answer) as relaying:
        seen = await relaying.ask(ASK)
    assert SERVER_SOFTWARE not in seen.head.head.decode()
    assert not seen.head.values("server")
    assert not seen.head.values("content-type")


async def test_our_headers_are_added_and_the_upstreams_like_them_dropped():
    """An upstream cannot speak in our name."""
    answer = response(b"", "x-recollect-memory: injected", "X-Recollect-Else: 1")
    async with Relaying(answer, extra={"x-recollect-memory": "empty"}) as relaying:
        seen = await relaying.ask(ASK)
    assert seen.head.values("x-recollect-memory") == ["empty"]
    assert not seen.head.values("x-recollect-else")


@pytest.mark.parametrize(
    ("answer", "last"),
    [
        (chunked(b"data: 1\n\n", b"data: [DONE]\n\n", headers=(SSE,)), b"[DONE]"),
        (chunked(b"data: 1\n\n", headers=(SSE,)), b"0\r\n\r\n"),
        (response(b"hello"), b"hello"),
        (response(b"x" * (WHOLE_BYTES + 1) + b"END"), b"END"),
    ],
    ids=["end mark", "no end mark", "whole", "streamed with a length"],
)
async def test_the_tee_is_told_before_the_last_byte(answer, last):
    """While the tee still works on keeping the turn, the client has not seen the end."""
    told, go_on = asyncio.Event(), asyncio.Event()

    async def hold():
        told.set()
        await go_on.wait()

    async with (
        Relaying(answer, tee=SpyTee(hold)) as relaying,
        RawClient(relaying.port) as client,
        asyncio.timeout(SECONDS),
    ):
        await client.send(ASK)
        until_last = asyncio.ensure_future(client.reader.readuntil(last))
        await told.wait()
        for _ in range(20):
            await asyncio.sleep(0)
        assert not until_last.done()
        go_on.set()
        await until_last


async def test_http_1_0_clients_get_the_bytes():
    """A client that knows no chunks gets the stream until the connection closes."""
    async with Relaying(chunked(b"one", b"two")) as relaying, RawClient(relaying.port) as client:
        await client.send(b"GET /v1/x HTTP/1.0\r\n\r\n")
        async with asyncio.timeout(SECONDS):
            data = await client.reader.read()
    assert data.partition(b"\r\n\r\n")[2] == b"onetwo"
