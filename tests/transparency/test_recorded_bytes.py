"""The same bytes sent to an upstream directly and through the product: both sides see the same.

What may differ is what HTTP has for each connection alone: `Host`, hop-by-hop headers, `Date`, and
the four headers in which a route with memory says what it did.
"""

import gzip
import zlib
from dataclasses import dataclass
from itertools import product

import pytest

from tests.proxy.wire import RawClient, chunked, request, response
from tests.support.budget import paired

from .openai_api import CALLS
from .whole import JSON, SSE, Whole, stream

EVENTS = (
    b': hi\r\n\r\nevent: a\r\nid: 1\r\ndata: {"a":"\xc3',
    b'\xa9"}\r\n\r\ndata: x\n\ndata: [DONE]\n\n',
)
DOCUMENT = b'{ "object":"list",\t"data":[1.0,"\\u00e9\xc3\xa9"]}\n'
LIMITS = ("retry-after: 20", "x-ratelimit-remaining-requests: 0", "x-request-id: req_1")
BINARY = bytes(range(256)) * 1500
"""Larger than what the proxy reads before it answers."""

ANSWERS = {
    "document": response(DOCUMENT, JSON, *LIMITS, "openai-version: 1"),
    "events": stream(*EVENTS),
    "cut events": stream(EVENTS[0], cut=True),
    "chunked document": chunked(DOCUMENT[:5], DOCUMENT[5:], headers=(JSON,)),
    "binary": response(
        BINARY, "Content-Type: audio/mpeg", 'Content-Disposition: inline; filename="a"'
    ),
    "chunked binary": chunked(*(BINARY[i : i + 9999] for i in range(0, len(BINARY), 9999))),
    "gzip": response(gzip.compress(DOCUMENT, mtime=0), JSON, "Content-Encoding: gzip", "Vary: a"),
    "deflate events": chunked(
        zlib.compress(b"".join(EVENTS)), headers=(SSE, "Content-Encoding: deflate")
    ),
    "404": response(b'{"error":{"code":"model_not_found"}}', JSON, status="404 Not Found"),
    "429": response(b'{"error":{}}', JSON, *LIMITS, "x-should-retry: true", status="429 Slow Down"),
    "500": response(b"<h1>oops</h1>", "Content-Type: text/html", status="500 Oops"),
    "empty": response(b"", "X-Empty: "),
    "204": b"HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n",
    "302": response(b"", "Location: /v1/elsewhere?x=%20", status="302 Found"),
    "short": response(DOCUMENT, JSON)[:-7],
}
ENDS_WITH_CONNECTION = {"cut events", "short"}
CLIENT = (
    "Accept: application/json",
    "User-Agent: OpenAI/Python 3.52.0",
    "X-Stainless-Lang: python",
    "Authorization: Bearer sk-test",
    "OpenAI-Project: p",
    "Accept-Encoding: gzip, deflate",
    "Cookie: a=1",
    "Idempotency-Key: k",
    "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
)
PER_CONNECTION = {"host", "connection", "keep-alive", "transfer-encoding", "date"}
OURS = {
    "x-recollect-memory",
    "x-recollect-reason",
    "x-recollect-count",
    "x-recollect-user",
}
NOT_COMPARED = PER_CONNECTION | OURS


@dataclass(frozen=True)
class Exchange:
    """Both sides of one request."""

    asked: object
    answered: object


def _headers(pairs):
    """What is compared of them, and in which order."""
    return [(name, value) for name, value in pairs if name.lower() not in NOT_COMPARED]


async def _exchange(port, data, upstream, *, head_only):
    """Send bytes somewhere, and say what the upstream and the client saw."""
    before = len(upstream.requests)
    async with RawClient(port) as client:
        await client.send(data)
        seen = await client.answer(head_only=head_only)
    [received] = upstream.requests[before:]
    framing = "chunked" in seen.head.values("transfer-encoding")
    return Exchange(
        (received.line, _headers(received.headers), received.body),
        (seen.head.line, _headers(seen.head.headers), framing, seen.body, seen.ended),
    )


@pytest.fixture
async def both():
    """Asks for the same twice, and gives what both sides saw directly and through the product."""
    ends = False

    async def script(_reader, writer, _received):
        writer.write(whole.answer)
        if ends:
            await writer.drain()
            raise ConnectionResetError

    async with Whole(script) as whole:
        direct = int(whole.upstream.base_url.split(":")[2].removesuffix("/v1"))

        async def ask(kind, data, *, head_only=False):
            nonlocal ends
            whole.answer, ends = ANSWERS[kind], kind in ENDS_WITH_CONNECTION
            upstream = whole.upstream
            return [
                await _exchange(port, data, upstream, head_only=head_only)
                for port in (direct, whole.port)
            ]

        yield ask


async def test_recorded_bytes_are_the_same(both):
    """Whatever is asked and answered, neither the upstream nor the client can tell that we are there."""
    for call, kind in paired(CALLS, [*ANSWERS], 3):
        lines = CLIENT if call.body is None else (*CLIENT, f"Content-Type: {call.type}")
        direct, proxied = await both(kind, request(call.method, call.target, call.body, *lines))
        assert proxied.asked == direct.asked, (call, kind)
        assert proxied.answered == direct.answered, (call, kind)


async def test_recorded_bytes_of_head_and_options(both):
    """The same on each route for the methods that browsers and health checks use."""
    for call, method in product(CALLS, ("HEAD", "OPTIONS")):
        data = request(method, call.target, None, *CLIENT, "Origin: https://a.test")
        for kind in ("document", "404") if method == "OPTIONS" else ("empty",):
            direct, proxied = await both(kind, data, head_only=method == "HEAD")
            assert proxied == direct, (call, method, kind)


def test_the_comparison_sees_differences():
    """What is left out of the comparison is what its opening says, and nothing else."""
    assert _headers([("Host", "a"), ("X-A", "1"), ("date", "d")]) == [("X-A", "1")]
    assert _headers([("x-recollect-store", "1")]) == [("x-recollect-store", "1")]
    assert len(CALLS) == len({call.name for call in CALLS})
