"""Tunnels to try: a scripted upstream, the proxy, and a client whose handshake is done."""

from __future__ import annotations

import asyncio
import random
import socket
import struct
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

from recollect.config.server import UpstreamOptions
from recollect.proxy.telemetry.tracing import Telemetry
from recollect.proxy.transport.passthrough import Passthrough
from recollect.proxy.transport.upstream import Upstream
from tests.support.constants import patched

from .wire import SECONDS, RawClient, RawUpstream, Served, request

KEY = "dGhlIHNhbXBsZSBub25jZQ=="
ACCEPT = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
WISH = (
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    f"Sec-WebSocket-Key: {KEY}",
)
OPEN = request("GET", "/v1/realtime?model=m%20x", None, *WISH)
SWITCH = (
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    f"Sec-WebSocket-Accept: {ACCEPT}\r\n\r\n"
).encode()
NOISE = random.Random(1).randbytes(100_000)
LARGE = 48 * 2**20
"""More than all buffers between two peers hold."""


@asynccontextmanager
async def proxied(base_url, **constants):
    """The pass-through before an upstream: its port, and itself."""
    async with AsyncExitStack() as stack:
        stack.enter_context(patched({f"upstream__{name}": constants[name] for name in constants}))
        upstream = Upstream(UpstreamOptions(base_url=base_url))
        stack.push_async_callback(upstream.close)
        passthrough = Passthrough(upstream, Telemetry())
        served = await stack.enter_async_context(Served(passthrough.handle))
        served.passthrough = passthrough
        served.upstream = upstream
        yield served


@asynccontextmanager
async def opened(script, glued=b"", **options):
    """A tunnel to a scripted upstream, its handshake done: the client, the server, the proxy."""
    async with (
        RawUpstream(script) as server,
        proxied(server.base_url, **options) as served,
        RawClient(served.port) as client,
        asyncio.timeout(3 * SECONDS),
    ):
        await client.send(OPEN + glued)
        seen = await client.answer(head_only=True)
        assert seen.status == 101
        yield client, server, served


async def gone(served):
    """Wait until no connection of any tunnel is left."""
    async with asyncio.timeout(SECONDS):
        while len(served.passthrough.tunnels):
            await asyncio.sleep(0.01)


def saying(*parts, then=None):
    """An upstream that switches, says so much and then does something."""

    async def script(reader, writer, _received):
        writer.write(SWITCH + b"".join(parts))
        await writer.drain()
        if then is not None:
            await then(reader, writer)
        await hear(reader)
        raise ConnectionResetError

    return script


async def hear(reader):
    """Read to the end, however it comes."""
    heard = b""
    try:
        while part := await reader.read(2**20):
            heard += part
    except ConnectionError:
        pass
    return heard


async def leave(_reader, writer):
    writer.close()


async def reset(_reader, writer):
    drop(writer)


def drop(writer):
    """Close without a word: the peer gets a reset."""
    linger = struct.pack("ii", 1, 0)
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    writer.transport.abort()


async def echo(reader, writer):
    while part := await reader.read(2**16):
        writer.write(part)
        await writer.drain()


def state(served):
    """Tasks, tunnels, their timers, connections on either side, file descriptors."""
    timers = [each for each in asyncio.get_running_loop()._scheduled if not each.cancelled()]
    return (
        len(asyncio.all_tasks()),
        len(served.passthrough.tunnels),
        sum("_Tunnel" in repr(each) for each in timers),
        len(served.upstream._connector._acquired),
        len(served._runner.server.connections),
        len(list(Path("/proc/self/fd").iterdir())),
    )
