"""WebSockets as bytes: what one side says the other hears, and both live and die together."""

import asyncio
import contextlib
import os

from aiohttp import web
from aiohttp.web_protocol import RequestHandler

from recollect.proxy.transport import tunnel as tunnels
from tests.support.folding import rows
from tests.support.waiting import until

from ..tunnelling import (
    ACCEPT,
    LARGE,
    NOISE,
    OPEN,
    SWITCH,
    WISH,
    drop,
    echo,
    gone,
    hear,
    leave,
    opened,
    proxied,
    reset,
    saying,
    state,
)
from ..wire import SECONDS, RawClient, RawUpstream, request, response


async def test_the_handshake_goes_up_as_it_came():
    """The upstream sees each header of the handshake, and the wish to switch; ours stay here."""
    lines = [
        "Origin: https://app.test",
        "Authorization: Bearer secret",
        "OpenAI-Beta: realtime=v1",
        "Sec-WebSocket-Protocol: realtime, openai-insecure-api-key.x",
        "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits",
        "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
    ]
    wish = ["Connection: keep-alive, Upgrade, X-Hop", "X-Hop: 1", *WISH[1:]]
    async with RawUpstream(saying()) as server, proxied(server.base_url) as served:
        data = request(
            "GET", "/v1/realtime?model=m%20x", None, *lines, *wish, "x-recollect-user: a"
        )
        assert (await served.ask(data, head_only=True)).status == 101
        [received] = server.requests
    assert received.line == "GET /v1/realtime?model=m%20x HTTP/1.1"
    assert received.headers[0] == ("Host", server.base_url[7:-3])
    expected = [*lines, *WISH[2:], "Connection: Upgrade", "Upgrade: websocket"]
    assert received.headers[1:] == [tuple(line.split(": ", 1)) for line in expected]


async def test_the_handshake_comes_down_as_it_went():
    """The client sees each header of the answer, without those that are nobody's business."""
    head = (
        "HTTP/1.1 101 Sure\r\nupgrade: WebSocket\r\nCONNECTION: upgrade, X-Hop\r\nX-Hop: 1\r\n"
        f"Sec-WebSocket-Accept: {ACCEPT}\r\nSec-WebSocket-Protocol: realtime\r\n"
        "Sec-WebSocket-Extensions: permessage-deflate\r\nx-request-id: req_1\r\n"
        "Set-Cookie: a=1\r\nSet-Cookie: b=2\r\nDate: now\r\nx-recollect-x: 1\r\n\r\n"
    )

    async def script(reader, writer, _received):
        writer.write(head.encode())
        await hear(reader)

    async with RawUpstream(script) as server, proxied(server.base_url) as served:
        seen = await served.ask(OPEN, head_only=True)
    assert seen.head.line == "HTTP/1.1 101 Sure"
    # aiohttp writes the names that it knows in its own case.
    assert [(name.lower(), value) for name, value in seen.head.headers] == [
        ("sec-websocket-accept", ACCEPT),
        ("sec-websocket-protocol", "realtime"),
        ("sec-websocket-extensions", "permessage-deflate"),
        ("x-request-id", "req_1"),
        ("set-cookie", "a=1"),
        ("set-cookie", "b=2"),
        ("date", "now"),
        ("connection", "Upgrade"),
        ("upgrade", "WebSocket"),
        # Ours: nothing of the session is remembered.
        ("x-recollect-memory", "off"),
        ("x-recollect-reason", "route"),
    ]


async def test_bytes_are_the_same_both_ways():
    """Whatever the peers say, and if they glue it to the handshake, arrives as it was, in order."""
    async with opened(saying(NOISE, then=echo), glued=NOISE[::-1]) as (client, _server, _served):
        assert await client.reader.readexactly(len(NOISE)) == NOISE
        assert await client.reader.readexactly(len(NOISE)) == NOISE[::-1]
        for size in (1, 2, 125, 126, 65_535, 65_537):
            await client.send(NOISE[:size])
            assert await client.reader.readexactly(size) == NOISE[:size]


@rows("size", [10, 400_000])
async def test_glued_bytes_wait_for_the_handshake(size):
    """A client need not wait for the answer; before it, nothing but the handshake goes up."""
    glued = os.urandom(size)
    early = []

    async def script(reader, writer, _received):
        await asyncio.sleep(0.1)
        early.append(len(reader._buffer))
        writer.write(SWITCH)
        await echo(reader, writer)

    async with opened(script, glued=glued) as (client, _server, _served):
        assert await client.reader.readexactly(size) == glued
    assert early == [0]


@rows("size", [0, 5, 300_000])
async def test_last_words_of_the_upstream_arrive(size):
    """An upstream that answers, speaks and leaves in one breath is heard to the end."""
    words = os.urandom(size)
    async with opened(saying(words, then=leave)) as (client, _server, served):
        assert await hear(client.reader) == words
        await gone(served)


async def test_last_words_before_the_client_took_the_handshake(monkeypatch):
    """An upstream that is gone before the client could be told of the switch is heard as well."""
    prepare, left = web.StreamResponse.prepare, asyncio.Event()

    async def late(response, got):
        writer = await prepare(response, got)
        await left.wait()
        await until(lambda: all(each.transport is None for each in acquired), "its end")
        return writer

    async def leaving(reader, writer):
        await leave(reader, writer)
        left.set()

    monkeypatch.setattr(web.StreamResponse, "prepare", late)
    async with (
        RawUpstream(saying(b"last", then=leaving)) as server,
        proxied(server.base_url) as served,
        RawClient(served.port) as client,
    ):
        acquired = served.upstream._connector._acquired
        await client.send(OPEN)
        assert (await client.answer(head_only=True)).status == 101
        assert await hear(client.reader) == b"last"
        await gone(served)


async def test_a_client_that_leaves_before_it_took_the_handshake(monkeypatch):
    """Nobody will speak on the upstream's connection any more: it is closed."""
    prepare = web.StreamResponse.prepare

    async def never(response, got):
        await prepare(response, got)
        await asyncio.Event().wait()

    monkeypatch.setattr(web.StreamResponse, "prepare", never)
    async with opened(saying()) as (client, server, served):
        client.close()
        await server.hung_up.wait()
        await until(lambda: state(served)[1:4] == (0, 0, 0), "the end of both connections")


@rows("size", [0, 5, 300_000])
async def test_last_words_of_the_client_arrive(size):
    """What a client says before it leaves goes up before the upstream hears that it left."""
    words = os.urandom(size)
    heard = asyncio.get_running_loop().create_future()

    async def script(reader, writer, _received):
        writer.write(SWITCH)
        heard.set_result(await hear(reader))

    async with opened(script) as (client, _server, served):
        await client.send(words)
        client.close()
        assert await heard == words
        await gone(served)


async def test_a_client_that_leaves_during_the_handshake():
    """The upstream that has not answered yet is left at once."""

    async def script(reader, _writer, _received):
        asked.set()
        await hear(reader)
        raise ConnectionResetError

    asked = asyncio.Event()
    async with (
        RawUpstream(script) as server,
        proxied(server.base_url) as served,
        RawClient(served.port) as client,
        asyncio.timeout(SECONDS),
    ):
        await client.send(OPEN)
        await asked.wait()
        client.close()
        await server.hung_up.wait()


def ends(served):
    [tunnel] = served.passthrough.tunnels._open
    return tunnel._ends


async def stuffed(receiving, sending):
    """Wait until one end is full and the other no longer read."""
    while sending.transport.is_reading():
        await asyncio.sleep(0.01)
    assert 0 < receiving.waiting < 2**20


async def pour(_reader, writer):
    """More than all buffers hold, part by part."""
    for _ in range(LARGE // len(NOISE)):
        writer.write(NOISE)
        await writer.drain()


async def poured(reader):
    """Read what that sends."""
    for _ in range(LARGE // len(NOISE)):
        assert await reader.readexactly(len(NOISE)) == NOISE


async def test_a_slow_client_slows_the_upstream():
    """While a client does not read, the proxy holds little; then everything arrives."""
    async with opened(saying(then=pour)) as (client, _server, served):
        receiving, sending = ends(served)
        await stuffed(receiving, sending)
        await poured(client.reader)


async def test_a_slow_upstream_slows_the_client():
    """While an upstream does not read, the proxy holds little; then everything arrives."""
    read, heard = asyncio.Event(), asyncio.Event()

    async def listen(reader, _writer):
        await read.wait()
        await poured(reader)
        heard.set()

    async with opened(saying(then=listen)) as (client, _server, served):
        pouring = asyncio.ensure_future(pour(client.reader, client.writer))
        sending, receiving = ends(served)
        await stuffed(receiving, sending)
        read.set()
        await pouring
        await heard.wait()


async def test_a_client_with_an_answer_still_to_read_slows_the_upstream_from_the_start(monkeypatch):
    """If there is no room at the handshake already, the upstream is read when there is."""
    monkeypatch.setattr(RequestHandler, "writing_paused", True)
    async with opened(saying(b"x")) as (client, _server, served):
        receiving, sending = ends(served)
        assert not sending.transport.is_reading()
        receiving.resume_writing()
        assert await client.reader.readexactly(1) == b"x"


@rows(
    "data",
    [
        request("GET", "/v1/x", None, "Connection: Upgrade", "Upgrade: h2c", *WISH[2:]),
        request("GET", "/v1/x", None, "Connection: Upgrade", "Upgrade: h2c, websocket"),
        request("GET", "/v1/x", None, "Connection: keep-alive", "Upgrade: websocket"),
        request("GET", "/v1/x", None, "Upgrade: websocket", *WISH[2:]),
        request("GET", "/v1/x", None, "Connection: Upgrade", *WISH[2:]),
        request("POST", "/v1/x", b"body", *WISH),
        request("POST", "/v1/x", b"", *WISH),
        request("GET", "/v1/x", b"body", *WISH),
        request("GET", "/v1/x", None, *WISH).replace(b"HTTP/1.1", b"HTTP/1.0"),
    ],
)
async def test_other_upgrades_are_ordinary_requests(data):
    """What is not a WebSocket's handshake goes up without the wish to switch, and is answered."""
    async with RawUpstream(response(b"ok")) as server, proxied(server.base_url) as served:
        seen = await served.ask(data)
        [received] = server.requests
    assert (seen.status, seen.body) == (200, b"ok")
    assert not received.values("upgrade")
    assert not received.values("connection")


@rows("lines", ["", "Upgrade: websocket\r\n", "Connection: Upgrade\r\n"])
async def test_half_a_switch_is_502(lines):
    """An upstream that does not say to what it switches did not answer."""
    head = f"HTTP/1.1 101 Switching Protocols\r\n{lines}\r\n".encode()
    async with RawUpstream(head) as server, proxied(server.base_url) as served:
        seen = await served.ask(OPEN)
    assert seen.status == 502


async def test_silence_ends_a_tunnel():
    """When no byte moves for the idle time, both sides are closed."""
    async with opened(saying(b"x"), idle_seconds=1) as (client, server, served):
        assert await hear(client.reader) == b"x"
        await server.hung_up.wait()
        await gone(served)


async def test_a_byte_in_either_direction_keeps_a_tunnel_open():
    """One side may be silent for longer than the idle time while the other speaks."""
    async with opened(saying(), idle_seconds=600) as (client, server, served):
        [tunnel] = served.passthrough.tunnels._open
        for _ in range(5):
            tunnel._moved -= 400
            before = tunnel._moved
            await client.send(b"x")
            await until(lambda before=before: tunnel._moved > before, "the byte")
            tunnel._look()
        assert len(served.passthrough.tunnels) == 1
        assert not server.hung_up.is_set()


async def test_who_reads_slowly_is_not_idle(monkeypatch):
    """Bytes that leave our memory move as well as those that come in."""
    async with opened(saying(), idle_seconds=60) as (_client, _server, served):
        [tunnel] = served.passthrough.tunnels._open
        tunnel.note(100)
        for left, is_closing in ((45, False), (40, False), (40, True)):
            monkeypatch.setattr(tunnels._End, "waiting", left)
            tunnel._moved -= 61
            tunnel._look()
            assert all(end.transport.is_closing() is is_closing for end in tunnel._ends)
        await gone(served)


async def test_who_never_reads_is_left_in_the_end():
    """A peer that takes nothing cannot hold the other's last words, and a socket, for ever."""

    async def listen(_reader, _writer):
        await asyncio.sleep(3600)

    async with opened(saying(then=listen), idle_seconds=1) as (client, _server, served):
        pouring = asyncio.ensure_future(pour(client.reader, client.writer))
        await gone(served)
        client.writer.transport.abort()
        with contextlib.suppress(ConnectionError):
            await pouring


async def test_the_server_stops_with_open_tunnels():
    """Told to close, all tunnels end at once, and so do those whose handshake was under way."""
    go = asyncio.Event()

    async def late(reader, writer, received):
        if "late" in received.line:
            await go.wait()
        writer.write(SWITCH)
        await hear(reader)
        raise ConnectionResetError

    async with opened(late) as (client, _server, served), RawClient(served.port) as second:
        await second.send(OPEN.replace(b"realtime", b"late"))
        served.passthrough.tunnels.close()
        assert await hear(client.reader) == b""
        go.set()
        assert (await second.answer(head_only=True)).status == 101
        assert await hear(second.reader) == b""
        await gone(served)


async def test_nothing_is_left_of_many_tunnels():
    """However tunnels end, no task, connection or file descriptor stays behind."""

    async def script(reader, writer, received):
        how = received.line.split("=")[1].split()[0]
        writer.write(SWITCH + b"x")
        if how in {"leave", "reset"}:
            await {"leave": leave, "reset": reset}[how](reader, writer)
        await hear(reader)
        raise ConnectionResetError

    async def one(port, how):
        async with RawClient(port) as client:
            await client.send(request("GET", f"/v1/realtime?how={how}", None, *WISH))
            if how == "early":
                return
            await client.answer(head_only=True)
            if how == "drop":
                drop(client.writer)
            elif how in {"leave", "reset"}:
                await hear(client.reader)

    async with RawUpstream(script) as server, proxied(server.base_url) as served:
        before = state(served)
        for _ in range(10):
            hows = ("leave", "reset", "drop", "close", "early")
            async with asyncio.timeout(SECONDS):
                await asyncio.gather(*(one(served.port, how) for how in hows))
        async with asyncio.timeout(SECONDS):
            while state(served) != before:
                await asyncio.sleep(0.01)
