"""The neighbour: a client who asks `/healthz` and sends chats while others flood."""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from collections import Counter

from kinds import CHAT, said
from load import percentile, post

SECONDS = 4.0
"""How long the neighbour is watched at least."""
VERDICT = b"x-recollect-memory:"


class Neighbour:
    """Asks again and again, and notes how long each answer took (seconds)."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.latencies: dict[str, list[float]] = {"healthz": [], "chat": []}
        self.verdicts: Counter[str] = Counter()
        """What memory did for its chats, by the first word of the answers' header."""

    async def ask(self, name: str, request: bytes, pause: float) -> None:
        """Until it is cancelled."""
        host, port = self._url.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        while True:
            started = time.perf_counter()
            writer.write(request)
            verdict = await _answer(reader)
            self.latencies[name].append(time.perf_counter() - started)
            if verdict:
                self.verdicts[verdict] += 1
            await asyncio.sleep(pause)

    async def watch(self, process: multiprocessing.process.BaseProcess | None) -> None:
        """Ask for a while, and until the flood is over."""
        authority = self._url.removeprefix("http://")
        health = f"GET /healthz HTTP/1.1\r\nHost: {authority}\r\n\r\n".encode()
        chat = said("What do you know about my garden?", "neighbour")
        asking = [
            asyncio.ensure_future(self.ask("healthz", health, 0.005)),
            asyncio.ensure_future(self.ask("chat", post(self._url, CHAT, chat), 0.02)),
        ]
        until = time.monotonic() + SECONDS
        while time.monotonic() < until or (process is not None and process.is_alive()):
            await asyncio.sleep(0.05)
        for each in asking:
            each.cancel()
        for result in await asyncio.gather(*asking, return_exceptions=True):
            assert isinstance(result, asyncio.CancelledError), result

    def row(self) -> dict[str, float]:
        """Milliseconds, and the share of chats whose memory was degraded."""
        degraded = self.verdicts["degraded"] / max(1, self.verdicts.total())
        return {"degraded": degraded} | {
            f"{name}_{label}_ms": percentile(values, share) * 1e3
            for name, values in self.latencies.items()
            for label, share in (("p50", 0.5), ("p99", 0.99), ("max", 1.0))
        }


async def _answer(reader: asyncio.StreamReader) -> str:
    head = (await reader.readuntil(b"\r\n\r\n")).lower().split(b"\r\n")
    length = next(int(line.split(b":")[1]) for line in head if line.startswith(b"content-length:"))
    await reader.readexactly(length)
    said = next((line for line in head if line.startswith(VERDICT)), VERDICT)
    words = said.removeprefix(VERDICT).decode().replace(";", " ").split()
    return words[0] if words else ""
