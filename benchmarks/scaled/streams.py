"""What so many open streams cost: CPU of an event, and memory of a stream."""

from __future__ import annotations

import asyncio
import resource
import tempfile
from collections.abc import AsyncIterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from cost import Server, chat, served
from load import Script, cpu_seconds, post, quiet, rss_mb

COUNTS = (1, 10, 100, 1000, 5000)
INTERVAL_MS = 1000
SECONDS = 5.0
"""How long events are counted, once all streams are open."""
OPENING = 50
"""Streams that are opened at a time."""
FILES_PER_STREAM = 2
PATH = "/v1/chat/completions"


async def measure(*, quick: bool) -> dict[str, Any]:
    """By the number of streams; an event each second of each."""
    counts = _possible(COUNTS[:3] if quick else COUNTS)
    rows: dict[str, Any] = {}
    with ExitStack() as stack:
        mock = Script("mock_upstream.py")
        stack.callback(mock.stop)
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="recollect-scaling-"))
        ours = served(Path(folder), mock.url, None)
        stack.callback(ours.stop)
        server = Server("ours", ours.url, ours.process.pid)
        await _opened(server, OPENING)  # warms up
        for count in counts:
            rows[str(count)] = row = await _round(server, count)
            print(
                f"  {count:5} streams: {row['event_us']:.0f} µs an event, {row['mb']:.1f} MB more",
                flush=True,
            )
    return {"streams": rows, "interval_ms": INTERVAL_MS}


def _possible(counts: tuple[int, ...]) -> tuple[int, ...]:
    """Those for which this process, and those it starts, may open enough files."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    return tuple(count for count in counts if count * FILES_PER_STREAM < most - 500)


class _Stream:
    """One open stream that counts its events."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self.events = 0

    @classmethod
    async def open(cls, server: Server, number: int, events: int) -> _Stream:
        host, port = server.url.removeprefix("http://").split(":")
        stream = cls(*await asyncio.open_connection(host, int(port)))
        wish = {"mock": f"mock:paced:{events}:{INTERVAL_MS}"}
        body = chat("Hello!", f"stream {number}", metadata=wish, stream=True)
        stream._writer.write(post(server.url, PATH, body))
        head = await stream._reader.readuntil(b"\r\n\r\n")
        if b" 200 " not in head.split(b"\r\n", 1)[0]:
            raise SystemExit(f"not a success: {head[:200]!r}")
        return stream

    async def read(self) -> None:
        async for data in self._pieces():
            self.events += data.count(b"data:")

    async def _pieces(self) -> AsyncIterator[bytes]:
        while data := await self._reader.read(2**16):
            yield data

    def close(self) -> None:
        self._writer.transport.abort()


async def _opened(server: Server, count: int, events: int = 2) -> list[_Stream]:
    found: list[_Stream] = []
    for start in range(0, count, OPENING):
        numbers = range(start, min(start + OPENING, count))
        found += await asyncio.gather(*(_Stream.open(server, n, events) for n in numbers))
    return found


async def _round(server: Server, count: int) -> dict[str, float]:
    await quiet(server.pid)
    before = sum(rss_mb(server.pid).values())
    streams = await _opened(server, count, events=120)
    readers = [asyncio.ensure_future(stream.read()) for stream in streams]
    await asyncio.sleep(2 * INTERVAL_MS / 1e3)  # what opening left to do is done
    seen, spent = sum(s.events for s in streams), cpu_seconds(server.pid)
    await asyncio.sleep(SECONDS)
    events = sum(s.events for s in streams) - seen
    spent = cpu_seconds(server.pid) - spent
    held = sum(rss_mb(server.pid).values()) - before
    for stream in streams:
        stream.close()
    await asyncio.gather(*readers, return_exceptions=True)
    return {
        "event_us": spent / max(events, 1) * 1e6,
        "core": spent / SECONDS,
        "events": events,
        "mb": held,
        "kb_each": held * 1024 / count,
    }
