"""What a neighbour feels while somebody sends hostile bodies.

    python benchmarks/flood.py [--bodies 50] [--only KIND ...]

`recollect serve` runs in a process of its own with its real parts. One client, the neighbour, asks
`/healthz` and sends a chat of its own again and again; another process sends fifty bodies of one
kind at once, each over its own connection. The baseline is the same neighbour, in the same run,
with nobody else there, and with fifty ordinary chats at once.

Prints for each kind the neighbour's latencies as multiples of the idle ones, and the stalls of the
event loop that the product counted. Writes benchmarks/results/flood.json.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import json
import multiprocessing
import socket
import tempfile
import time
import urllib.request
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from load import Script, Served, percentile, post, stop_on_signals, write_json

SECONDS = 4.0
"""How long the neighbour is watched at least."""
LONGEST = 120.0
"""How long a flood may take before it is given up."""
MIB = 2**20
CHAT, RESPONSES, MEMORIES = "/v1/chat/completions", "/v1/responses", "/v1/memories/"


def packed_integers(key: str) -> bytes:
    """A few kilobytes that unpack to an array of small integers of almost 4 MiB."""
    return gzip.compress(b'{"model": "m", "%s": [' % key.encode() + b"1," * (2 * MIB - 99) + b"1]}")


def said(text: str) -> bytes:
    """A chat in which this is said."""
    return json.dumps(
        {"model": "m", "user": "flood", "messages": [{"role": "user", "content": text}]}
    ).encode()


def added(*texts: str) -> bytes:
    """A call of the memory API."""
    messages = [{"role": "user", "content": text} for text in texts]
    return json.dumps({"user_id": "flood", "infer": False, "messages": messages}).encode()


GZIP = "Content-Encoding: gzip\r\n"
KINDS: dict[str, tuple[str, Callable[[], bytes], str]] = {
    "ordinary chats": (CHAT, lambda: said("What do you know about my teapot?"), ""),
    "packed integers": (CHAT, lambda: packed_integers("messages"), GZIP),
    "packed integers, responses": (RESPONSES, lambda: packed_integers("input"), GZIP),
    "integers": (CHAT, lambda: gzip.decompress(packed_integers("messages")), ""),
    "9,999 messages": (
        CHAT,
        lambda: json.dumps(
            {"model": "m", "messages": [{"role": "user", "content": "hi"}] * 9_999}
        ).encode(),
        "",
    ),
    "a megabyte of text": (CHAT, lambda: said("Nobody knows. " * 75_000), ""),
    "97 KiB of digits": (CHAT, lambda: said("4111 " * 20_000), ""),
    "nested 100,000 deep": (CHAT, lambda: b'{"messages":' + b"[" * 100_000, ""),
    "939 KiB of digits, added": (MEMORIES, lambda: added("4111 " * 192_000), ""),
    "1,000 texts, added": (MEMORIES, lambda: added(*["my pin is 4111 4111"] * 1000), ""),
    "5,000 texts, added": (MEMORIES, lambda: added(*["hi"] * 5000), ""),
}


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


async def _all(url: str, request: bytes, count: int) -> Counter[str]:
    seen: Counter[str] = Counter()
    async with asyncio.timeout(LONGEST):
        await asyncio.gather(*(_one(url, request, seen) for _ in range(count)))
    return seen


def attack(url: str, kind: str, count: int, said: Any) -> None:
    """The flood, in a process of its own; puts the answers' statuses into `said`."""
    path, body, headers = KINDS[kind]
    request = post(url, path, body(), headers + "Connection: close\r\n")
    said.put("ready")
    try:
        said.put(dict(asyncio.run(_all(url, request, count))))
    except TimeoutError:
        said.put({"gave up": count})


class Neighbour:
    """Asks again and again, and notes how long each answer took (seconds)."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.latencies: dict[str, list[float]] = {"healthz": [], "chat": []}

    async def ask(self, name: str, request: bytes, pause: float) -> None:
        """Until it is cancelled."""
        host, port = self._url.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        while True:
            started = time.perf_counter()
            writer.write(request)
            await _answer(reader)
            self.latencies[name].append(time.perf_counter() - started)
            await asyncio.sleep(pause)

    async def watch(self, process: multiprocessing.process.BaseProcess | None) -> None:
        """Ask for a while, and until the flood is over."""
        authority = self._url.removeprefix("http://")
        health = f"GET /healthz HTTP/1.1\r\nHost: {authority}\r\n\r\n".encode()
        chat = said("What do you know about my garden?").replace(b"flood", b"neighbour")
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
        """Milliseconds."""
        return {
            f"{name}_{label}_ms": percentile(values, share) * 1e3
            for name, values in self.latencies.items()
            for label, share in (("p50", 0.5), ("p99", 0.99), ("max", 1.0))
        }


async def _answer(reader: asyncio.StreamReader) -> None:
    head = await reader.readuntil(b"\r\n\r\n")
    length = next(
        int(line.split(b":")[1])
        for line in head.split(b"\r\n")
        if line.lower().startswith(b"content-length:")
    )
    await reader.readexactly(length)


def stalls(url: str) -> dict[str, int]:
    """What the product's own watchdog counted."""
    with urllib.request.urlopen(f"{url}/readyz", timeout=60) as answer:
        return dict(json.load(answer).get("loop", {}))


def measure(url: str, kind: str | None, count: int) -> dict[str, Any]:
    """One flood, or none."""
    before = stalls(url)
    neighbour = Neighbour(url)
    process, told = None, multiprocessing.get_context("spawn").Queue()
    if kind is not None:
        process = multiprocessing.get_context("spawn").Process(
            target=attack, args=(url, kind, count, told)
        )
        process.start()
        told.get()  # its bodies are made
    asyncio.run(neighbour.watch(process))
    after = stalls(url)
    return {
        **neighbour.row(),
        "stalls": after.get("stalls", 0) - before.get("stalls", 0),
        "longest_ms": after.get("longest_ms", 0),
        "answers": told.get() if kind is not None else {},
    }


def free_port() -> int:
    """A port nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--bodies", type=int, default=50, help="of each kind, at once")
    parser.add_argument("--only", choices=list(KINDS), action="append", metavar="KIND")
    wanted = parser.parse_args()
    stop_on_signals()
    mock = Script("mock_upstream.py")
    rows: dict[str, dict[str, Any]] = {}
    print(f"{'':28} {'healthz p50':>11} {'p99':>7} {'max':>7}", end=" ")
    print(f"{'chat p50':>9} {'p99':>7} {'max':>7}  stalls")
    with tempfile.TemporaryDirectory(prefix="recollect-bench-") as folder:
        served = Served(
            Path(folder),
            free_port(),
            upstream__base_url=f"{mock.url}/v1",
            learn__idle_seconds=100_000,
            learn__every_turns=1000,
        )
        try:
            measure(served.url, "ordinary chats", 5)  # everything is loaded now
            for kind in [None, *(wanted.only or KINDS)]:
                row = measure(served.url, kind, wanted.bodies)
                rows[kind or "idle"] = row
                show(kind or "idle", row, rows["idle"])
        finally:
            served.stop()
            mock.stop()
    print(f"written to {write_json('flood', rows)}")


def show(name: str, row: dict[str, Any], idle: dict[str, Any]) -> None:
    """Milliseconds for the idle row, multiples of it for the others."""
    keys = [f"{what}_{which}_ms" for what in ("healthz", "chat") for which in ("p50", "p99", "max")]
    cells = [f"{row[key]:.1f}" if row is idle else f"{row[key] / idle[key]:.1f}x" for key in keys]
    widths = (11, 7, 7, 9, 7, 7)
    line = " ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
    answers = ", ".join(f"{count} x {status}" for status, count in row["answers"].items())
    print(f"{name:28} {line}  {row['stalls']} (longest so far {row['longest_ms']} ms)  {answers}")


if __name__ == "__main__":
    main()
