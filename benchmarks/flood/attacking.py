"""Sends a flood, in a process of its own."""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from typing import Any

from kinds import KINDS, Kind
from load import post

LONGEST = 120.0
"""How long a flood may take before it is given up."""
UNREAD_SECONDS = 8.0
"""How long connections stay open whose answers nobody reads."""
UNREAD_BUFFER = 4096
"""Bytes that the kernel takes of an answer that nobody reads."""


def attack(url: str, kind: str, count: int | None, told: Any) -> None:
    """Send the flood; puts "ready", and then the number of answers by status, into `told`."""
    sent = KINDS[kind]
    request = _request(url, sent)
    told.put("ready")
    at_once = sent.at_once if count is None else min(count, sent.at_once)
    try:
        told.put(dict(asyncio.run(_all(url, request, sent, at_once))))
    except TimeoutError:
        told.put({"gave up": at_once})


def _request(url: str, kind: Kind) -> bytes:
    if kind.body is not None:
        return post(url, kind.path, kind.body(), kind.headers + "Connection: close\r\n")
    host = url.removeprefix("http://")
    return f"GET {kind.path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode()


async def _all(url: str, request: bytes, kind: Kind, count: int) -> Counter[str]:
    seen: Counter[str] = Counter()
    send = _one if kind.read else _unread
    async with asyncio.timeout(LONGEST):
        await asyncio.gather(*(send(url, request, seen) for _ in range(count)))
    return seen


async def _one(url: str, request: bytes, seen: Counter[str]) -> None:
    host, port = url.removeprefix("http://").split(":")
    try:
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(request)
        await writer.drain()
        line = await reader.readline()
        while await reader.read(65_536):
            pass
        seen[line.split(b" ")[1].decode()] += 1
        writer.close()
    except (OSError, IndexError) as error:
        seen[type(error).__name__] += 1


async def _unread(url: str, request: bytes, seen: Counter[str]) -> None:
    """Read the status of the answer and nothing else."""
    host, port = url.removeprefix("http://").split(":")
    loop = asyncio.get_running_loop()
    with socket.socket() as client:
        client.settimeout(0)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, UNREAD_BUFFER)
        try:
            await loop.sock_connect(client, (host, int(port)))
            await loop.sock_sendall(client, request)
            head = await loop.sock_recv(client, 16)
            seen[head.split(b" ")[1].decode()] += 1
        except (OSError, IndexError) as error:
            seen[type(error).__name__] += 1
        await asyncio.sleep(UNREAD_SECONDS)
