"""Requests whose length two parsers could read differently: refused, or passed once and plainly."""

import asyncio

from tests.proxy.wire import SECONDS
from tests.support.folding import rows
from tests.support.waiting import until

from .facing import Facing, error_code, parsed

POST = b"POST /v1/files HTTP/1.1\r\nHost: h\r\n"
CHUNKED = POST + b"Transfer-Encoding: chunked\r\n\r\n"
SMUGGLED = b"GET /v1/smuggled HTTP/1.1\r\nHost: h\r\n\r\n"

REFUSED = {
    "length and chunked": b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "chunked and length": b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
    "two lengths": b"Content-Length: 0\r\nContent-Length: 38\r\n\r\n",
    "one length twice": b"Content-Length: 0\r\nContent-Length: 0\r\n\r\n",
    "length with sign": b"Content-Length: +5\r\n\r\nhello",
    "negative length": b"Content-Length: -1\r\n\r\n",
    "list of lengths": b"Content-Length: 5,5\r\n\r\nhello",
    "list with space": b"Content-Length:  5, 5\r\n\r\nhello",
    "empty length": b"Content-Length:\r\n\r\n",
    "length beyond 64 bits": b"Content-Length: 99999999999999999999\r\n\r\n",
    "hex length": b"Content-Length: 0x5\r\n\r\nhello",
    "underscored length": b"Content-Length: 1_0\r\n\r\nhellohello",
    "digits of another script": "Content-Length: ٥\r\n\r\nhello".encode(),
    "space before the colon": b"Content-Length : 5\r\n\r\nhello",
    "folded header": b"X-A: 1\r\n 2\r\n\r\n",
    "folded coding": b"Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n",
    "folded length": b"Content-Length:\r\n 5\r\n\r\nhello",
    "header that starts with space": b" X-A: 1\r\n\r\n",
    "bare LF between headers": b"X-A: 1\nContent-Length: 0\r\n\r\n",
    "bare LF at the end": b"X-A: 1\n\n",
    "bare CR between headers": b"X-A: 1\rContent-Length: 0\r\n\r\n",
    "space in a name": b"X A: 1\r\n\r\n",
    "name that is no token": b"X-\xc3\xa9: 1\r\n\r\n",
    "no colon": b"foo\r\n\r\n",
    "no name": b": 1\r\n\r\n",
    "NUL in a value": b"X-A: a\0b\r\n\r\n",
    "NUL in a name": b"X\0A: b\r\n\r\n",
    "control character": b"X-A: a\x01b\r\n\r\n",
    "two hosts": b"Host: other\r\n\r\n",
}
CODINGS = {
    "unknown": b"xchunked",
    "not the last": b"chunked, identity",
    "identity": b"identity",
    "twice": b"chunked, chunked",
    "empty item": b"chunked,",
    "empty": b"",
    "quoted": b'"chunked"',
    "with parameter": b"chunked;q=1",
    "vertical tab": b"\x0bchunked",
    "long s": "chunk\u017fd".encode(),
    "second line": b"chunked\r\nTransfer-Encoding: identity",
    "tab behind": b"chunked\t",
    "first line": b"identity\r\nTransfer-Encoding: chunked",
}
SIZES = {
    "0x5": b"0x5\r\nhello",
    "negative": b"-5\r\nhello",
    "sign": b"+5\r\nhello",
    "overflow": b"FFFFFFFFFFFFFFFFF\r\nhello",
    "no digit": b"g\r\nhello",
    "empty": b"\r\nhello",
    "space after": b"5 \r\nhello",
    "space before": b" 5\r\nhello",
    "bare LF": b"5\nhello",
    "bare LF in an extension": b"5;a\nhello",
    "more than its size": b"3\r\nhello",
    "no line end": b"5\r\nhelloXX",
    "a length among the trailers": b"0\r\nContent-Length: 38\r\n\r\n",
    "a coding among the trailers": b"0\r\nTransfer-Encoding: chunked\r\n\r\n",
}
END = b"\r\n0\r\n\r\n"


async def refused(*parts):
    """We close with one 4xx of our own, and the upstream saw no whole request."""
    async with Facing(whole_only) as facing:
        seen = parsed(await facing.until_closed(*parts))
        assert 400 <= seen.status < 500
        assert error_code(seen) == "bad_request"
        assert not [each for each in facing.upstream.requests if each.body]
        assert "GET /v1/smuggled HTTP/1.1" not in facing.lines


async def whole_only(_reader, writer, received):
    """An upstream that marks whole requests, even those without a body."""
    received.body = b"whole" + received.body
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")


@rows("framing", REFUSED.values())
async def test_ambiguous_heads_are_refused(framing):
    """Nothing of it reaches the upstream, and what follows is no request either."""
    await refused(POST + framing + SMUGGLED)


@rows("coding", CODINGS.values())
async def test_odd_codings_are_refused(coding):
    """Only `chunked`, once and last, says how long a body is."""
    head = POST + b"Transfer-Encoding: " + coding + b"\r\n\r\n"
    await refused(head + b"5\r\nhello" + END + SMUGGLED)


@rows("split", [False, True])
@rows("chunk", SIZES.values())
async def test_bad_chunks_are_refused(chunk, split):
    """Also when the request is on its way upstream: there it never ends, here it is a 400."""
    tail = chunk + END + SMUGGLED
    await refused(*((CHUNKED, tail) if split else (CHUNKED + tail,)))


async def test_a_broken_body_ends_its_upstream_request():
    """What was begun upstream is hung up on, so that half a body is never taken for a whole one."""

    async def never_whole(reader, _writer, _received):
        await reader.readuntil(b"0\r\n\r\n")

    async with Facing(never_whole, read_body=False) as facing, asyncio.timeout(SECONDS):
        async with facing.client() as client:
            await client.send(CHUNKED + b"5\r\nhello\r\n")
            await until(lambda: facing.upstream.requests, "a request")
            await client.send(b"nonsense\r\n")
            assert (await client.answer()).status == 400
        await facing.upstream.hung_up.wait()


async def test_a_broken_request_behind_a_good_one():
    """The good one gets its own answer, the broken one the 400, in this order."""
    async with Facing() as facing:
        good = b"GET /v1/models HTTP/1.1\r\nHost: h\r\n\r\n"
        got = await facing.until_closed(good, b"nonsense\r\n\r\n")
    assert got.index(b'"upstream"') < got.index(b'"bad_request"')
    assert facing.lines == ["GET /v1/models HTTP/1.1"]


@rows(
    "coding, body",
    [
        (b"chunked", b"5\r\nhello\r\n0\r\n\r\n"),
        (b"  \tchunked", b"5\r\nhello\r\n0\r\n\r\n"),
        (b"Chunked", b"5\r\nhello\r\n0\r\n\r\n"),
        (b"chunked", b"00005;" + b"a" * 5000 + b"\r\nhello\r\n0\r\n\r\n"),
        (b"chunked", b"2\r\nhe\r\n3\r\nllo\r\n0\r\nX-Trailer: 1\r\n\r\n"),
    ],
)
async def test_plain_chunked_bodies_pass_once(coding, body):
    """White space, case, extensions and trailers are allowed: the upstream gets one plain framing."""
    async with Facing() as facing:
        head = POST + b"Transfer-Encoding: " + coding + b"\r\n\r\n"
        assert (await facing.ask(head + body)).status == 200
        [received] = facing.upstream.requests
    assert received.body == b"hello"
    assert received.values("transfer-encoding") == ["chunked"]
    assert not received.values("content-length")


@rows("length", [b"5", b"0005", b"\t 5 \t"])
async def test_plain_lengths_pass_once(length):
    """One number is one length, and the next request begins behind it."""
    async with Facing() as facing, facing.client() as client:
        await client.send(POST + b"Content-Length: " + length + b"\r\n\r\nhello" + SMUGGLED)
        assert [(await client.answer()).status for _ in range(2)] == [200, 200]
        first, second = facing.upstream.requests
    assert (first.body, second.line) == (b"hello", "GET /v1/smuggled HTTP/1.1")
    assert [int(value) for value in first.values("content-length")] == [5]
    assert not first.values("transfer-encoding")


async def test_a_connection_header_cannot_take_the_framing_away():
    """`Connection: content-length` makes that header hop-by-hop: the body still has one length."""
    async with Facing() as facing:
        data = POST + b"Connection: content-length\r\nContent-Length: 5\r\n\r\nhello"
        assert (await facing.ask(data)).status == 200
        [received] = facing.upstream.requests
    assert received.body == b"hello"
    assert len(received.values("content-length") + received.values("transfer-encoding")) == 1


@rows("split", [False, True])
async def test_an_upgrade_that_nobody_takes_changes_no_framing(split):
    """Clients that would like HTTP/2 (Java's, say) offer `h2c`: theirs are requests like any other."""
    head = POST + b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n"
    async with Facing() as facing, facing.client() as client:
        for number in range(2):
            body = b"hello%d" % number
            data = head + b"Content-Length: 6\r\n\r\n"
            await client.send(data if split else data + body)
            if split:
                await asyncio.sleep(0.05)
                await client.send(body)
            assert (await client.answer()).status == 200
        received = facing.upstream.requests
    assert [each.body for each in received] == [b"hello0", b"hello1"]
    assert not received[0].values("upgrade")
