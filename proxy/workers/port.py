"""The port that all workers listen on: the kernel hands out the connections (SO_REUSEPORT)."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from contextlib import ExitStack


@contextlib.asynccontextmanager
async def reserved(host: str, port: int) -> AsyncIterator[int]:
    """The port, kept for the workers of this user as long as the block runs; 0 finds a free one.

    Nothing listens yet: connections are refused until a worker does. Raises OSError.
    """
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(
        host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    with ExitStack() as opened:
        for family, kind, protocol, _, address in dict.fromkeys(found):
            kept = opened.enter_context(socket.socket(family, kind, protocol))
            kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            if family == socket.AF_INET6:
                kept.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            kept.bind((address[0], port, *address[2:]))
            port = kept.getsockname()[1]
        yield port
