"""Clients that take for ever: they are cut off, and nobody else waits for them."""

import asyncio
import resource
from contextlib import AsyncExitStack
from itertools import product as pairs
from pathlib import Path

from tests.proxy.wire import SECONDS, RawClient, RawUpstream, chunk, request, response
from tests.support.folding import rows
from tests.support.ports import free_port
from tests.support.product import Product

from .facing import ANSWER, IN_MEMORY, Facing, error_code, parsed, read_out

FILES = 320
"""That the attacked process may have open, and half heads on each of its ports."""
CHAT = request(
    "POST", "/v1/chat/completions", b'{"model":"m","messages":[{"role":"user","content":"Hi"}]}'
)
FAST = {"listen__head_seconds": 0.2}
PATIENT = {"listen__head_seconds": 2}
"""For heads that come in parts and are to be read: this process may stand still for a second."""
HEAD = b"GET /v1/models HTTP/1.1\r\nHost: h\r\n"
CHUNKED = b"POST /v1/files HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"


async def test_a_silent_connection_is_closed():
    """Who connects and sends nothing is not answered either."""
    async with Facing(**FAST) as facing:
        assert await facing.until_closed() == b""


@rows("path", [b"/v1/models", b"/v1/chat/completions", b"/v1/memories/"])
async def test_a_head_that_trickles_is_cut(path):
    """A byte now and then does not help: the time counts from the first one."""
    async with Facing(**FAST) as facing, facing.client() as client, asyncio.timeout(SECONDS):
        reading = asyncio.ensure_future(read_out(client))
        client.writer.write(b"GET " + path + b" HTTP/1.1\r\nHost: h\r\nX-A: ")
        while not reading.done():
            client.writer.write(b"a")
            await asyncio.sleep(0.02)
        seen = parsed(reading.result())
        assert (seen.status, error_code(seen)) == (408, "request_timeout")
        assert not facing.upstream.requests


POST = b"POST /v1/files HTTP/1.1\r\nHost: h\r\n"
BODIES = {
    "length": b"Content-Length: 5\r\n\r\nhello",
    "chunks": b"Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n",
    "no body": b"\r\n",
    "breaks": b"Content-Length: 8\r\n\r\n\r\n\r\n\r\n\r\n\r\n",
}


async def at_once(work, table):
    """Try all rows at the same time: each of them mostly waits."""
    found = await asyncio.gather(*(work(*row) for row in table), return_exceptions=True)
    failed = [(row, error) for row, error in zip(table, found, strict=True) if error is not None]
    assert not failed, failed


async def ends(client, answers):
    """So many answers come, and then the end."""
    for _ in range(answers):
        assert (await client.answer()).status == 200
    async with asyncio.timeout(SECONDS):
        rest = await read_out(client)
    assert not rest or parsed(rest).status == 408


WISH = request("GET", "/v1/x", None, "Connection: Upgrade", "Upgrade: websocket")
HALVES = (
    [("a request", [POST + body + HEAD], 1) for body in BODIES.values()]
    + [
        ("the end of a body", [(POST + body)[:cut], (POST + body)[cut:] + HEAD], 1)
        for body, cut in pairs(BODIES.values(), (40, -5, -1))
    ]
    + [
        ("several requests", [POST + first + POST + last + HEAD[:9]], 2)
        for first, last in pairs(BODIES.values(), BODIES.values())
    ]
    + [
        ("a declined upgrade", [WISH + HEAD], 1),
        ("two requests, each by itself", [HEAD + b"\r\n", HEAD + b"\r\n", HEAD], 2),
    ]
)
"""What stands before half a head, the segments in which all of it comes, and whole requests."""


async def test_half_a_head_is_cut():
    """Whatever it stands behind: quiet between requests is no loris, half a head is."""

    async def cut_off(_behind, segments, answers):
        async with facing.client() as client:
            for segment in segments:
                await client.send(segment)
                await asyncio.sleep(0.5 if segment.endswith(HEAD + b"\r\n") else 0.05)
            await ends(client, answers)

    async with Facing(**PATIENT) as facing:
        await at_once(cut_off, HALVES)


async def test_a_whole_request_in_one_segment_keeps_its_connection():
    """Nothing is behind it, or only the line break that some clients add."""

    async def stays(body, more):
        async with facing.client() as client:
            for times in (1, 1, 2):
                await client.send((POST + BODIES[body] + more) * times)
                for _ in range(times):
                    assert (await client.answer()).status == 200
                if times == 1:
                    await asyncio.sleep(0.5)

    async with Facing(**FAST) as facing:
        await at_once(stays, [*pairs(BODIES, (b"", b"\r\n"))])


async def test_the_end_of_a_body_is_no_head():
    """A kept connection stays open however the last request's body came in."""

    async def stays(body):
        async with facing.client() as client:
            for _ in range(2):
                for part in (POST, BODIES[body][:-4], BODIES[body][-4:]):
                    await client.send(part)
                    await asyncio.sleep(0.05)
                assert (await client.answer()).status == 200
                await asyncio.sleep(2.5)

    async with Facing(**PATIENT) as facing:
        await at_once(stays, [("length",), ("chunks",)])


@rows("path", ["/v1/files", "/v1/chat/completions", "/v1/memories/"])
@rows("framing", ["Content-Length: 1000", "Transfer-Encoding: chunked"])
async def test_a_body_that_stops_is_cut(path, framing):
    """The client hears why, on every route; the upstream is hung up on, if it was called."""

    async def script(reader, _writer, _received):
        await reader.readexactly(2**20)

    async with (
        Facing(script, read_body=False, listen__body_idle_seconds=0.2) as facing,
        facing.client() as client,
        asyncio.timeout(SECONDS),
    ):
        await client.send(request("POST", path, None, framing).replace(b"proxy.test", b"[::1]"))
        await client.send(b"5\r\nhello\r\n")
        seen = parsed(await read_out(client))
        assert (seen.status, error_code(seen)) == (408, "request_timeout")
        if facing.upstream.requests:
            await facing.upstream.hung_up.wait()


async def test_a_body_that_trickles_passes():
    """Slow is not stopped: the pause counts, not the whole."""
    async with Facing(listen__body_idle_seconds=1) as facing, facing.client() as client:
        await client.send(CHUNKED)
        for _ in range(5):
            await client.send(chunk(b"x"))
            await asyncio.sleep(0.25)
        await client.send(b"0\r\n\r\n")
        assert (await client.answer()).status == 200
        assert facing.upstream.requests[0].body == b"x" * 5


async def test_a_slow_upstream_is_not_the_clients_pause():
    """While we do not read, because the upstream does not, the client cannot go on."""
    size = 2**24

    async def script(reader, writer, received):
        await asyncio.sleep(1)
        received.body = await reader.readexactly(size)
        writer.write(response(b"took it"))

    async with Facing(script, read_body=False, listen__body_idle_seconds=0.2) as facing:
        seen = await facing.ask(request("POST", "/v1/files", bytes(size)))
    assert seen.body == b"took it"


async def test_an_answer_that_is_under_way_is_not_cut():
    """A client that sends the rest of its body later still gets what the upstream says meanwhile."""

    async def script(reader, writer, _received):
        head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        writer.write(head + chunk(b"first"))
        await writer.drain()
        await reader.readuntil(b"0\r\n\r\n")
        writer.write(chunk(b"last") + b"0\r\n\r\n")

    async with (
        Facing(script, read_body=False, listen__body_idle_seconds=0.2) as facing,
        facing.client() as client,
        asyncio.timeout(SECONDS),
    ):
        await client.send(CHUNKED + chunk(b"a"))
        assert (await client.answer(head_only=True)).status == 200
        await asyncio.sleep(0.5)
        await client.send(b"0\r\n\r\n")
        got = await client.reader.readuntil(b"0\r\n\r\n")
    assert got == chunk(b"first") + chunk(b"last") + b"0\r\n\r\n"


async def test_a_long_answer_is_nobodys_pause():
    """Once a request is here whole, its client may wait for as long as the upstream needs."""

    async def script(_reader, writer, _received):
        await asyncio.sleep(0.5)
        writer.write(response(b"at last"))

    limits = {"listen__head_seconds": 0.2, "listen__body_idle_seconds": 0.2}
    async with Facing(script, **limits) as facing:
        assert (await facing.ask(request("POST", "/v1/files", b"x"))).body == b"at last"


async def test_five_hundred_half_open_connections_hinder_nobody():
    """A normal request is answered beside them, and in time all of them are gone."""
    async with Facing(listen__head_seconds=2) as facing, AsyncExitStack() as stack:
        async with asyncio.timeout(SECONDS * 3):
            clients = [await stack.enter_async_context(facing.client()) for _ in range(500)]
            for number, client in enumerate(clients):
                client.writer.write(HEAD if number % 2 else b"")
            assert (await facing.ask(HEAD + b"\r\n")).status == 200
            ends = await asyncio.gather(*map(read_out, clients))
        assert (await facing.ask(HEAD + b"\r\n")).status == 200
    assert sum(b" 408 " in end for end in ends) == 250


async def test_half_heads_on_every_port_keep_no_chat_waiting(tmp_path):
    """More of them than the process may open files: all ports close the oldest."""
    async with RawUpstream(ANSWER) as upstream:
        metrics = free_port()
        options = {
            key.lower().removeprefix("recollect_"): value for key, value in IN_MEMORY.items()
        }
        product = Product(
            tmp_path / "data",
            **options | {"telemetry__metrics": f"127.0.0.1:{metrics}"},
            upstream__base_url=upstream.base_url,
        )
        async with product, AsyncExitStack() as stack:
            pid = product.process.pid
            resource.prlimit(pid, resource.RLIMIT_NOFILE, (FILES, FILES))
            for port in (product.port, metrics) * FILES:
                client = await stack.enter_async_context(RawClient(port))
                await client.send(HEAD)
            for _ in range(10):
                async with RawClient(product.port) as client:
                    await client.send(CHAT)
                    assert (await client.answer()).status == 200
            async with RawClient(metrics) as client:
                await client.send(b"GET /metrics HTTP/1.1\r\nHost: h\r\n\r\n")
                assert (await client.answer()).status == 200
            sockets = [str(each.readlink()) for each in Path(f"/proc/{pid}/fd").iterdir()]
            assert sum(each.startswith("socket:") for each in sockets) < FILES / 2 + 20
    assert len(upstream.requests) >= 10
