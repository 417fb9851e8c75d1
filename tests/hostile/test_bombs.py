"""Requests that are too much: what we hold of them is bounded, and credentials still fit."""

import asyncio
import contextlib

from recollect.proxy.transport.connections import MAX_HEAD_BYTES, MAX_HEADER_BYTES
from tests.proxy.wire import SECONDS
from tests.support.folding import rows
from tests.support.waiting import until

from .facing import Facing, error_code, parsed, read_out

GET = b"GET /v1/models HTTP/1.1\r\nHost: h\r\n"

BOMBS = {
    "many headers": GET + b"X-A: 1\r\n" * 200 + b"\r\n",
    "one huge value": GET + b"X-A: " + b"a" * (MAX_HEADER_BYTES + 1) + b"\r\n\r\n",
    "one huge name": GET + b"X" * (MAX_HEADER_BYTES + 1) + b": 1\r\n\r\n",
    "huge request line": b"GET /v1/" + b"a" * (MAX_HEADER_BYTES + 1) + b" HTTP/1.1\r\n\r\n",
    "huge query": b"GET /v1/x?" + b"a" * (MAX_HEADER_BYTES + 1) + b" HTTP/1.1\r\n\r\n",
}


@rows("bomb", BOMBS.values())
async def test_bombs_are_refused(bomb):
    """One 431 in OpenAI's shape, the connection is closed, the upstream sees nothing."""
    async with Facing() as facing:
        seen = parsed(await facing.until_closed(bomb))
        assert (seen.status, error_code(seen)) == (431, "request_head_too_large")
        assert not facing.upstream.requests


async def test_a_head_is_bounded_as_a_whole():
    """A hundred headers, each of them allowed, are not: we stop reading long before the last."""
    header = b"X-A: " + b"a" * (MAX_HEADER_BYTES - 100) + b"\r\n"
    sent = 0
    async with Facing() as facing, facing.client() as client, asyncio.timeout(SECONDS):
        client.writer.write(GET)
        with contextlib.suppress(ConnectionError):
            while sent < 100 * len(header) and not client.reader.at_eof():
                await client.send(header)
                sent += len(header)
                await asyncio.sleep(0.01)
        await read_out(client)
        assert MAX_HEAD_BYTES - len(header) < sent < MAX_HEAD_BYTES + 4 * len(header)
        assert not facing.upstream.requests


@rows("size", [16_384, MAX_HEADER_BYTES - 200])
async def test_long_credentials_pass(size):
    """A whole JWT, or the largest single header we take, arrives as it was sent."""
    token = b"Bearer " + b"e" * size
    async with Facing() as facing:
        assert (await facing.ask(GET + b"Authorization: " + token + b"\r\n\r\n")).status == 200
        [received] = facing.upstream.requests
    assert received.values("authorization") == [token.decode()]


async def test_many_requests_at_once_are_read_in_turn():
    """A client that pipelines without reading has a few of its requests taken, not all."""
    waiting = asyncio.Event()

    async def script(_reader, writer, _received):
        await waiting.wait()
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")

    async with Facing(script) as facing, facing.client() as client, asyncio.timeout(SECONDS):
        await client.send((GET + b"\r\n") * 100)
        await until(lambda: facing.upstream.requests, "a request")
        assert len(facing.upstream.requests) == 1
        waiting.set()
        assert [(await client.answer()).status for _ in range(100)] == [200] * 100
