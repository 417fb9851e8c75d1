"""Points 1 to 11 of the transparency checklist: streams."""

import asyncio
import json
import socket
import struct

import pytest

from recollect.proxy.dialects.transcript import MAX_BYTES
from tests.proxy.wire import SECONDS, chunk, chunked, request, response
from tests.support.folding import rows
from tests.support.waiting import until

from .whole import (
    CHAT_INJECTED,
    CHAT_PLAIN,
    JSON,
    LAST,
    OLLAMA_PLAIN,
    ROUTES,
    SSE,
    STREAM_HEAD,
    UNKNOWN,
    Whole,
    assert_sent,
    capturing_routes,
    every_route,
    on,
    outcome,
    read_chunk,
    read_head,
    stream,
)

FRAMINGS = {
    "crlf": b'data: {"a":1}\r\n\r\ndata: [DONE]\r\n\r\n',
    "cr": b'data: {"a":1}\r\rdata: [DONE]\r\r',
    "fields": b'event: response.created\nid: 7\nretry: 5\ndata: {"a":1}\n\nid\ndata\n\n',
    "no space, two lines, no end": b'data:{"a":\ndata:1}\n\ndata: {"b":2}',
    "line separators": 'data: {"a":"\u2028\u2029\u0085"}\n\n'.encode(),
    "vendor": b'data: {"obfuscation":"x","service_tier":null,"usage":null,"choices":[]}\n\n',
    "bom": b"\xef\xbb\xbfdata: {}\n\n",
    "no text at all": bytes(range(256)),
}


@every_route
async def test_point_01_a_stream_keeps_its_bytes(route):
    """Whatever the framing of events, the client gets the upstream's bytes and headers."""
    async with Whole() as whole:
        for name, body in FRAMINGS.items():
            whole.answer = stream(body)
            seen = await whole.ask(route.ask())
            assert (seen.body, seen.ended) == (body, True), name
            assert seen.head.values("content-type") == [SSE.partition(": ")[2]]
            assert_sent(route, whole.received)


@every_route
@rows("size", [1, 7, 10_000])
async def test_point_02_reads_are_not_events(route, size):
    """Events split anywhere, in the middle of a character too, or many in one read: the same."""
    text = "h\u00e9llo w\u00f6rld \U0001f600"
    body = b"".join([*route.events(*text), route.end(text)])
    parts = [body[at : at + size] for at in range(0, len(body), size)]

    async def script(_reader, writer, _received):
        writer.write(STREAM_HEAD)
        for part in parts:
            writer.write(chunk(part))
            await writer.drain()
        writer.write(LAST)

    async with Whole(script) as whole:
        seen = await whole.ask(route.ask())
        assert (seen.body, seen.ended) == (body, True)
        if route.captures:
            assert (await whole.captured()).assistant_text == text


@every_route
@rows("end", [True, False])
async def test_point_03_the_end_mark_is_the_upstreams(route, end):
    """`[DONE]` or `response.completed` passes; it is neither invented nor waited for."""
    body = b"".join(route.events("hel", "lo")) + (route.end("hello") if end else b"")
    async with Whole(stream(body)) as whole:
        seen = await whole.ask(route.ask())
        assert (seen.body, seen.ended) == (body, True)
        if route.captures:
            assert (await whole.captured()).assistant_text == "hello"


@every_route
async def test_point_04_usage_is_asked_for_and_hidden_by_nobody(route):
    """A usage chunk reaches the client as it came, and only clients ask for one."""
    usage = b'data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":1}}\n\n'
    body = b"".join([*route.events("hello"), usage, route.end("hello")])
    async with Whole(stream(body)) as whole:
        seen = await whole.ask(route.ask())
        # Within: when it stops it learns, which asks the upstream as well.
        assert b"stream_options" not in whole.received.body
        assert_sent(route, whole.received)
    assert seen.body == body


@every_route
async def test_point_05_comments_pass_and_are_not_invented(route):
    """Keep-alive comments of the upstream are the only ones."""
    parts = [b": OPENROUTER PROCESSING\n\n", *route.events("hello"), b":\n\n", route.end("hello")]

    async def script(_reader, writer, _received):
        writer.write(STREAM_HEAD)
        for part in parts:
            writer.write(chunk(part))
            await writer.drain()
        writer.write(LAST)

    async with Whole(script) as whole:
        seen = await whole.ask(route.ask())
    assert (seen.body, seen.ended) == (b"".join(parts), True)


@every_route
async def test_point_06_nothing_is_said_before_the_upstream_spoke(route):
    """A late error is still a status: no early 200, no ping."""
    speak = asyncio.Event()
    body = b'{"error":{"message":"busy"}}'

    async def script(_reader, writer, _received):
        await speak.wait()
        writer.write(response(body, JSON, status="503 Service Unavailable"))

    async with Whole(script) as whole, whole.asking(route.ask()) as client:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.02):
                await client.reader.read(1)
        speak.set()
        seen = await client.answer()
    assert (seen.status, seen.body) == (503, body)


def _cut(*chunks):
    return stream(*chunks, cut=True)


CUTS = {
    "in a stream": lambda route: (
        _cut(*route.events("hel", "lo")),
        b"".join(route.events("hel", "lo")),
    ),
    "in an event": lambda _: (_cut(b'data: {"ch'), b'data: {"ch'),
    "after the end mark": lambda route: (_cut(route.end("hello")), route.end("hello")),
    "in a document": lambda _: (response(b'{"a":' + b" " * 95, JSON)[:-90], b'{"a":     '),
    "in a large document": lambda _: (response(b"x" * 300_000, JSON)[:-1], b"x" * 299_999),
    "before the body": lambda _: (_cut(), b""),
}


@every_route
@rows("cut", CUTS.values())
async def test_point_07_a_cut_is_a_cut(route, cut):
    """An answer that breaks off upstream breaks off here: all that came, no end, no invented stop."""
    answer, came = cut(route)

    async def script(_reader, writer, _received):
        writer.write(answer)
        await writer.drain()
        raise ConnectionResetError

    async with Whole(script) as whole:
        seen = await whole.ask(route.ask())
    assert (seen.status, seen.body, seen.ended) == (200, came, False)


@every_route
@rows("broken", [b"zz\r\n", b"-1\r\nx\r\n", b"5\r\nhelloXX"])
async def test_point_07_a_broken_framing_is_a_cut(route, broken):
    """Chunks that are none do not look like an end either, and nobody waits for ever."""
    events = b"".join(route.events("hello"))
    go_on = asyncio.Event()

    async def script(reader, writer, _received):
        writer.write(STREAM_HEAD + chunk(events))
        await go_on.wait()
        writer.write(broken)
        await reader.read()

    async with Whole(script) as whole, whole.asking(route.ask()) as client:
        await read_head(client)
        assert await read_chunk(client) == events
        go_on.set()
        async with asyncio.timeout(SECONDS):
            rest = await client.reader.read()
    assert not rest.endswith(LAST)


async def _silent(_reader, _writer, _received):
    await asyncio.sleep(3600)


async def _begins(_reader, writer, _received):
    writer.write(STREAM_HEAD)
    await asyncio.sleep(3600)


async def _half_a_document(_reader, writer, _received):
    writer.write(response(b"{" + b" " * 99)[:-50])
    await asyncio.sleep(3600)


@every_route
@rows("script", [_silent, _begins, _half_a_document])
async def test_point_08_a_client_that_leaves_cancels_the_upstream(route, script):
    """Before the first token, in an answer that does not stream and in one that does."""

    async def watched(reader, writer, received):
        work = asyncio.ensure_future(script(reader, writer, received))
        gone = asyncio.ensure_future(reader.read())
        await asyncio.wait([work, gone], return_when=asyncio.FIRST_COMPLETED)
        work.cancel()
        gone.cancel()
        if not gone.cancelled() and gone.done():
            raise ConnectionResetError

    async with Whole(watched) as whole:
        async with whole.asking(route.ask()):
            assert not whole.upstream.hung_up.is_set()
        async with asyncio.timeout(SECONDS):
            await whole.upstream.hung_up.wait()
        assert len(whole.upstream.requests) == 1


@capturing_routes
async def test_point_08_what_was_received_is_captured(route):
    """A client that leaves in the middle of a stream cancels the upstream, not the memory."""

    async def script(reader, writer, _received):
        writer.write(STREAM_HEAD + chunk(b"".join(route.events("hel", "lo"))))
        await writer.drain()
        if not await reader.read():
            raise ConnectionResetError

    async with Whole(script) as whole:
        async with whole.asking(route.ask()) as client:
            await read_head(client)
            await read_chunk(client)
        async with asyncio.timeout(SECONDS):
            await whole.upstream.hung_up.wait()
        turn = await whole.captured()
    assert turn.assistant_text == "hello"


@on([CHAT_PLAIN, UNKNOWN])
async def test_point_08_a_client_that_leaves_while_the_upstream_does_not_read(route):
    """A request whose body is stuck ends with its client, if that says so.

    A mere end stands behind the bytes that nobody reads, here as before any other server.
    """
    release = asyncio.Event()
    sent = 0

    async def script(_reader, _writer, _received):
        await release.wait()
        raise ConnectionResetError

    async def push():
        nonlocal sent
        for _ in range(BLOCKS - 1):
            await client.send(BLOCK)
            sent += len(BLOCK)

    head = request("POST", route.asked, None, f"Content-Length: {BLOCKS * len(BLOCK)}")
    often = {"listen__head_seconds": 1}  # connections are looked over four times in that time
    async with Whole(script, read_body=False, **often) as whole:
        async with whole.asking(head + BLOCK) as client:
            stuck = asyncio.ensure_future(push())
            await _stalled(lambda: sent)
            reset = struct.pack("ii", 1, 0)
            sock = client.writer.transport.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
            client.writer.transport.abort()
            with pytest.raises(ConnectionError):
                await stuck
        try:
            await until(lambda: not whole.accepted_sockets(), "the end of the connection")
        finally:
            release.set()


BLOCK = bytes(2**18)
BLOCKS = 256
"""64 MB: more than the buffers of two connections hold, far less than a test can take."""
BOUND = 32 * 2**20


async def _stalled(progress):
    """Wait until `progress()` has begun and not changed for a while, and return it."""
    before = await until(progress, "a beginning")
    while before != (before := progress()):
        await asyncio.sleep(0.2)
    return before


@on([CHAT_INJECTED, OLLAMA_PLAIN, UNKNOWN])
async def test_point_09_a_client_that_does_not_read_stalls_the_upstream(route):
    """The proxy holds a bounded part of an answer; all of it arrives once it is read."""
    sent = 0

    async def script(_reader, writer, _received):
        nonlocal sent
        writer.write(STREAM_HEAD)
        for _ in range(BLOCKS):
            writer.write(chunk(BLOCK))
            await writer.drain()
            sent += len(BLOCK)
        writer.write(LAST)

    async with Whole(script) as whole, whole.asking(route.ask()) as client:
        client.writer.transport.pause_reading()
        held = await _stalled(lambda: sent)
        assert 0 < held < BOUND
        client.writer.transport.resume_reading()
        await read_head(client)
        read = 0
        while part := await read_chunk(client):
            read += len(part)
        assert read == BLOCKS * len(BLOCK)


@on([CHAT_PLAIN, UNKNOWN])
async def test_point_09_an_upstream_that_does_not_read_stalls_the_client(route):
    """Large requests are not collected here either, on a route with memory or without."""
    sent = 0

    go_on = asyncio.Event()

    async def script(reader, writer, _received):
        await go_on.wait()
        for _ in range(BLOCKS):
            await reader.readexactly(len(BLOCK))
        writer.write(response(b"{}"))

    length = f"Content-Length: {BLOCKS * len(BLOCK)}"
    head = request("POST", route.asked, None, length)
    async with Whole(script, read_body=False) as whole, whole.asking(head + BLOCK) as client:
        client.writer.transport.set_write_buffer_limits(high=0)

        async def push():
            nonlocal sent
            for _ in range(BLOCKS - 1):
                await client.send(BLOCK)
                sent += len(BLOCK)

        pushing = asyncio.ensure_future(push())
        held = await _stalled(lambda: sent)
        assert 0 < held < BOUND
        assert not pushing.done()
        go_on.set()
        await pushing
        assert (await client.answer()).status == 200


@capturing_routes
async def test_point_09_the_copy_for_memory_is_bounded(route):
    """An answer without end is passed on whole; of its copy a bounded part is kept."""
    events = route.events("x" * 2**16)
    rounds = 2 * MAX_BYTES // len(events[0])

    async def script(_reader, writer, _received):
        writer.write(STREAM_HEAD)
        for _ in range(rounds):
            writer.write(chunk(events[0]))
            await writer.drain()
        writer.write(LAST)

    async with Whole(script) as whole:
        seen = await whole.ask(route.ask())
        assert (seen.body, seen.ended) == (events[0] * rounds, True)
        turn = await whole.captured()
    assert len(turn.assistant_text) < MAX_BYTES


@every_route
async def test_point_10_nothing_is_held_back(route):
    """Headers arrive before the first event, and each event before the next one is sent."""
    parts = [*route.events("one", "two"), route.end("onetwo")]
    turn = asyncio.Semaphore(0)

    async def script(_reader, writer, _received):
        writer.write(STREAM_HEAD)
        for part in parts:
            await turn.acquire()
            writer.write(chunk(part))
        await turn.acquire()
        writer.write(LAST)

    async with Whole(script) as whole, whole.asking(route.ask()) as client:
        head = await read_head(client)
        assert head.line == "HTTP/1.1 200 OK"
        for part in parts:
            turn.release()
            assert await read_chunk(client) == part
        turn.release()
        assert await read_chunk(client) == b""


@every_route
async def test_point_10_streams_are_not_packed(route):
    """A client that could unpack gets a plain stream if the upstream sent a plain one."""
    body = b"".join(route.events("hello" * 100))
    async with Whole(stream(body)) as whole:
        seen = await whole.ask(route.ask("Accept-Encoding: gzip, deflate"))
    assert seen.body == body
    assert not seen.head.values("content-encoding")


@every_route
async def test_point_11_no_delay_on_either_socket(route):
    """TCP_NODELAY is set where clients are accepted and towards the upstream: events leave at once."""
    done = asyncio.Event()

    async def script(_reader, writer, _received):
        writer.write(stream(*route.events("hello"), cut=True))
        await done.wait()
        writer.write(LAST)

    async with Whole(script) as whole, whole.asking(route.ask()) as client:
        await read_head(client)
        for sockets in (whole.accepted_sockets(), whole.upstream_sockets()):
            assert sockets
            for one in sockets:
                assert one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        done.set()


async def test_the_routes_do_what_their_names_say():
    """The proof that follows is about injections: they happen where they are said to."""
    async with Whole(chunked(b"{}", headers=(JSON,))) as whole:
        for route in ROUTES:
            seen = await whole.ask(route.ask())
            expected = "injected" if route.injects else "empty" if route.captures else ""
            assert outcome(seen) == expected, route
            assert json.loads(whole.received.body)["x_unknown"] == {"a": [1e5, None]}
    assert CHAT_INJECTED in ROUTES
