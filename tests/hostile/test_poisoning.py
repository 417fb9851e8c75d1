"""Upstreams whose answers two parsers could read differently: the next client is not served them."""

import asyncio

from tests.proxy.wire import SECONDS, request, response
from tests.support.folding import rows

from .facing import Facing, error_code

OK = b"HTTP/1.1 200 OK\r\n"
SMUGGLED = b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nSMUGGLED"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"

BROKEN = {
    "length and chunked": OK + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunked and length": OK + b"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
    "two lengths": OK + b"Content-Length: 5\r\nContent-Length: 4\r\n\r\nhello",
    "list of lengths": OK + b"Content-Length: 5, 5\r\n\r\nhello",
    "length with sign": OK + b"Content-Length: +5\r\n\r\nhello",
    "negative length": OK + b"Content-Length: -1\r\n\r\nhello",
    "bare CR": OK + b"X-A: a\rSet-Cookie: b\r\nContent-Length: 0\r\n\r\n",
    "NUL": OK + b"X-A: a\0b\r\nContent-Length: 0\r\n\r\n",
    "control character": OK + b"X-A: a\x01b\r\nContent-Length: 0\r\n\r\n",
    "control character in the reason": b"HTTP/1.1 200 O\x01K\r\nContent-Length: 0\r\n\r\n",
    "space in a name": OK + b"X A: b\r\nContent-Length: 0\r\n\r\n",
    "too many headers": OK + b"X-A: 1\r\n" * 200 + b"Content-Length: 0\r\n\r\n",
    "too long a header": OK + b"X-A: " + b"a" * 70_000 + b"\r\nContent-Length: 0\r\n\r\n",
    "body of a 204": b"HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello",
    "bad chunk size": CHUNKED + b"0x5\r\nhello\r\n0\r\n\r\n",
    "negative chunk": CHUNKED + b"-5\r\nhello\r\n0\r\n\r\n",
    "chunk beyond its size": CHUNKED + b"3\r\nhello\r\n0\r\n\r\n",
}
COMPLETE = {
    "of known length": response(b"hello"),
    "chunked": CHUNKED + b"5\r\nhello\r\n0\r\n\r\n",
    "without a body": b"HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n",
}


def first(answer, *, then=b""):
    """Answer the first request so, with more a moment later, and all others properly."""
    count = 0

    async def script(_reader, writer, _received):
        nonlocal count
        count += 1
        if count > 1:
            writer.write(response(b"proper"))
            return
        writer.write(answer)
        await writer.drain()
        if then:
            await asyncio.sleep(0.05)
            writer.write(then)
        sent.set()

    sent = script.sent = asyncio.Event()
    return script


@rows("answer", BROKEN.values())
async def test_broken_answers_are_502(answer):
    """It is our error, whatever follows it is nobody's answer, and the next one is its own."""
    async with Facing(first(answer + SMUGGLED)) as facing:
        seen = await facing.ask(request("GET", "/v1/x"))
        assert (seen.status, seen.ended) == (502, True)
        assert error_code(seen) in {"upstream_unreachable", "bad_upstream_answer"}
        assert not seen.head.values("set-cookie")
        assert (await facing.ask(request("GET", "/v1/x"))).body == b"proper"


@rows("later", [False, True])
@rows("answer", COMPLETE.values())
async def test_a_second_answer_is_nobodys(answer, later):
    """Whoever comes next on a pooled connection does not get an answer that came before it asked."""
    script = first(answer, then=SMUGGLED) if later else first(answer + SMUGGLED)
    async with Facing(script) as facing:
        assert (await facing.ask(request("GET", "/v1/x"))).status in {200, 304}
        await script.sent.wait()
        # What was there to read before this has been read.
        assert (await facing.ask(request("GET", "/healthz"))).status == 200
        assert (await facing.ask(request("GET", "/v1/x"))).body == b"proper"
        assert facing.upstream.connections == 2


@rows("coding", [b"xchunked", b"chunked, identity"])
async def test_an_unknown_coding_ends_with_the_connection(coding):
    """A body whose end only the connection tells takes everything on it (RFC 9112 §6.3)."""

    async def script(_reader, writer, _received):
        writer.write(OK + b"Transfer-Encoding: " + coding + b"\r\n\r\nbody" + SMUGGLED)
        await writer.drain()
        writer.close()
        raise ConnectionResetError

    async with Facing(script) as facing:
        seen = await facing.ask(request("GET", "/v1/x"))
    assert seen.body == b"body" + SMUGGLED
    assert seen.head.values("transfer-encoding") == ["chunked"]


async def test_an_answer_split_by_a_clients_value_stays_one():
    """What a client sends cannot become a header line of anybody's answer or request."""
    async with Facing() as facing, asyncio.timeout(SECONDS):
        path = "/v1/x%0dX-Evil:%201?a=%0d%0aX-Evil:%201"
        await facing.ask(request("GET", path, None, "X-A: %0d%0aX-Evil: 1"))
        [received] = facing.upstream.requests
    assert received.line == f"GET {path} HTTP/1.1"
    assert not received.values("x-evil")
