"""Everything we do not edit: requests go up and answers come down as they are."""

import asyncio
import gzip

import pytest
from aiohttp import web

from recollect.config import load_settings
from recollect.config.server import UpstreamOptions
from recollect.proxy.serve import build_runner
from recollect.proxy.telemetry import Telemetry
from recollect.proxy.transport.passthrough import READ_BYTES, Passthrough
from recollect.proxy.transport.upstream import Upstream

from ..wire import (
    SECONDS,
    RawClient,
    RawUpstream,
    Served,
    chunk,
    chunked,
    read_body,
    request,
    response,
    then_close,
)


class Passing:
    """The pass-through between a scripted upstream and raw clients."""

    def __init__(self, script=None, **options):
        self.server = RawUpstream(response(b"{}") if script is None else script, **options)

    async def __aenter__(self):
        await self.server.__aenter__()
        self._upstream = Upstream(UpstreamOptions(base_url=self.server.base_url))
        self._served = Served(Passthrough(self._upstream, Telemetry()).handle)
        await self._served.__aenter__()
        self.port = self._served.port
        self.ask = self._served.ask
        return self

    async def __aexit__(self, *_):
        await self._served.__aexit__()
        await self._upstream.close()
        await self.server.__aexit__()


@pytest.mark.parametrize(
    "method",
    ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "PURGE", "QUERY", "SEARCH"],
)
async def test_any_method(method):
    """The upstream sees the method and the path that the client used."""
    async with Passing() as passing:
        seen = await passing.ask(request(method, "/v1/files/a%2Fb?x=%20&x"))
        assert seen.body == b"{}"
        assert passing.server.requests[0].line == f"{method} /v1/files/a%2Fb?x=%20&x HTTP/1.1"


async def test_headers_go_up_as_they_came():
    """Order, case and repetition survive; ours and hop-by-hop ones stay; none is invented."""
    lines = [
        "x-B: 1",
        "Authorization: Bearer secret",
        "X-a: 2",
        "x-recollect-user: alice",
        "Cookie: a=1",
        "X-a: 3",
        "Connection: keep-alive, X-Hop",
        "X-Hop: 1",
        "TE: trailers",
    ]
    async with Passing() as passing:
        await passing.ask(request("GET", "/v1/x", None, *lines))
        [received] = passing.server.requests
        authority = passing.server.base_url.removeprefix("http://").removesuffix("/v1")
    assert received.headers == [
        ("Host", authority),
        ("x-B", "1"),
        ("Authorization", "Bearer secret"),
        ("X-a", "2"),
        ("Cookie", "a=1"),
        ("X-a", "3"),
    ]


@pytest.mark.parametrize(
    "value",
    [
        "caf\u00e9 \u65e5",
        "caf\udce9",
    ],
)
async def test_odd_bytes_in_headers_survive(value):
    """A header value that is no ASCII arrives as the same bytes."""
    async with Passing() as passing:
        await passing.ask(request("GET", "/v1/x", None, f"X-A: {value}"))
        head = passing.server.requests[0].head
    assert head.endswith(b"X-A: " + value.encode("utf-8", "surrogateescape"))


@pytest.mark.parametrize("size", [0, 1, 2000, READ_BYTES, READ_BYTES + 1, 2**22])
async def test_bodies_go_up_byte_for_byte(size):
    """Bodies of any size keep their bytes and their stated length."""
    body = bytes(i % 253 for i in range(size))
    async with Passing() as passing:
        seen = await passing.ask(request("POST", "/v1/files", body, "Content-Type: a/b"))
        [received] = passing.server.requests
    assert seen.status == 200
    assert received.body == body
    assert received.values("content-length") == [str(size)]
    assert received.values("content-type") == ["a/b"]


async def test_chunked_bodies_stay_chunked():
    """A client that does not know its length yet need not; the content is the same."""
    async with Passing() as passing:
        data = request("POST", "/v1/files", None, "Transfer-Encoding: chunked")
        await passing.ask(data + chunk(b"one") + chunk(b"two") + b"0\r\n\r\n")
        [received] = passing.server.requests
    assert received.body == b"onetwo"
    assert received.values("transfer-encoding") == ["chunked"]
    assert not received.values("content-length")


async def test_transfer_codings_are_said_on():
    """What was done to the bytes on the way is told to whoever gets them; nobody here undoes it."""
    packed = gzip.compress(b"one")
    data = request("POST", "/v1/files", None, "Transfer-Encoding: gzip, chunked")
    answer = chunked(packed).replace(b": chunked", b": gzip,  chunked")
    async with Passing(answer) as passing:
        seen = await passing.ask(data + chunk(packed) + b"0\r\n\r\n")
        [received] = passing.server.requests
    assert received.body == packed
    assert received.values("transfer-encoding") == ["gzip, chunked"]
    assert seen.body == packed
    assert seen.head.values("transfer-encoding") == ["gzip, chunked"]


async def test_compressed_bodies_are_not_opened():
    """What is packed goes up packed, with its header."""
    body = gzip.compress(b'{"x": 1}' * 100)
    async with Passing() as passing:
        await passing.ask(request("POST", "/v1/x", body, "Content-Encoding: gzip"))
        [received] = passing.server.requests
    assert (received.body, received.values("content-encoding")) == (body, ["gzip"])


async def test_large_requests_stream():
    """The upstream gets the beginning of a large body while the client still holds its end."""
    size = 4 * READ_BYTES
    started = asyncio.Event()

    async def script(reader, writer, received):
        first = await reader.readexactly(1000)
        started.set()
        received.body = first + await reader.readexactly(size - 1000)
        writer.write(response(b"ok"))

    async with (
        Passing(script, read_body=False) as passing,
        RawClient(passing.port) as client,
        asyncio.timeout(SECONDS),
    ):
        body = bytes(size)
        await client.send(request("POST", "/v1/files", body)[: -size // 2])
        await started.wait()
        await client.send(body[: size // 2])
        assert (await client.answer()).body == b"ok"
        assert passing.server.requests[0].body == body


async def test_an_answer_before_the_end_of_the_request():
    """An upstream may refuse a body it has not read: the client gets the refusal."""

    async def script(_reader, writer, _received):
        writer.write(response(b"too large", status="413 Content Too Large"))
        await writer.drain()
        await asyncio.sleep(3600)

    async with (
        Passing(script, read_body=False) as passing,
        RawClient(passing.port) as client,
    ):
        head = f"POST /v1/files HTTP/1.1\r\nHost: h\r\nContent-Length: {2**30}\r\n\r\n"
        await client.send(head.encode() + bytes(2**18))
        seen = await client.answer()
    assert (seen.status, seen.body) == (413, b"too large")


async def test_a_client_that_leaves_while_sending_leaves_the_upstream():
    """Half a request is not made into a whole one."""

    async def script(reader, _writer, received):
        await read_body(reader, received)

    async with Passing(script, read_body=False) as passing:
        async with RawClient(passing.port) as client:
            head = f"POST /v1/files HTTP/1.1\r\nHost: h\r\nContent-Length: {2**20}\r\n\r\n"
            await client.send(head.encode() + bytes(2**18))
            while not passing.server.requests:
                await asyncio.sleep(0.01)
        async with asyncio.timeout(SECONDS):
            await passing.server.hung_up.wait()


async def test_expect_continue_is_answered_here():
    """A client that waits for leave to send gets it, and the upstream gets the body."""
    async with Passing() as passing, RawClient(passing.port) as client:
        whole = request("POST", "/v1/x", b"hello", "Expect: 100-continue")
        await client.send(whole[:-5])
        async with asyncio.timeout(SECONDS):
            assert (await client.reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 100")
        await client.send(b"hello")
        assert (await client.answer()).status == 200
        [received] = passing.server.requests
    assert received.body == b"hello"
    assert not received.values("expect")


@pytest.mark.parametrize("streamed", [False, True])
async def test_connections_are_used_again(streamed):
    """Ten requests of one client are ten answers in order, on one connection on either side."""
    count = 0

    async def script(_reader, writer, _received):
        nonlocal count
        count += 1
        body = str(count).encode()
        writer.write(chunked(body) if streamed else response(body))

    async with Passing(script) as passing, RawClient(passing.port) as client:
        for number in range(1, 11):
            await client.send(request("GET", "/v1/x"))
            assert (await client.answer()).body == str(number).encode()
        assert passing.server.connections == 1


async def test_an_upstream_that_is_gone_is_an_openai_error():
    """A connection that ends without an answer is our 502, in the shape clients read."""
    async with Passing(then_close(b"")) as passing:
        seen = await passing.ask(request("GET", "/v1/models"))
    assert seen.status == 502
    assert b'"code": "upstream_unreachable"' in seen.body


async def test_extra_headers_and_a_body_that_was_read():
    """A route that gave up on memory forwards what it has read, and may say why."""
    async with RawUpstream(response(b"{}")) as server:
        upstream = Upstream(UpstreamOptions(base_url=server.base_url))
        passthrough = Passthrough(upstream, Telemetry())

        async def handle(got):
            raw = await got.read()
            return await passthrough.forward(got, raw, extra={"x-recollect-reason": "why"})

        async with Served(handle) as served:
            seen = await served.ask(request("POST", "/v1/x", b"not json"))
        await upstream.close()
    assert seen.head.values("x-recollect-reason") == ["why"]
    assert server.requests[0].body == b"not json"


async def test_the_application_bounds_no_proxied_body(tmp_path):
    """Whatever size is still parsed for memory, other routes and larger chats go through."""
    async with RawUpstream(response(b"{}")) as server:
        environ = {
            "RECOLLECT_DATA_DIR": str(tmp_path),
            "RECOLLECT_EMBEDDER__BACKEND": "fake",
            "RECOLLECT_STORE__BACKEND": "inmemory",
            "RECOLLECT_STATE__BACKEND": "inmemory",
            "RECOLLECT_HISTORY__BACKEND": "inmemory",
            "RECOLLECT_UPSTREAM__BASE_URL": server.base_url,
            "RECOLLECT_UPSTREAM__MAX_PARSED_BYTES": "1024",
        }
        runner = build_runner(load_settings(environ=environ))
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        try:
            for path in ("/v1/files", "/v1/chat/completions"):
                async with RawClient(runner.addresses[0][1]) as client:
                    await client.send(request("POST", path, b"x" * 5000))
                    assert (await client.answer()).status == 200
        finally:
            await runner.cleanup()
    assert [len(received.body) for received in server.requests] == [5000, 5000]
