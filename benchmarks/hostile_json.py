"""What hostile JSON costs: a neighbour's chat, the event loop and the memory of the process.

    python benchmarks/hostile_json.py [--root CHECKOUT] [--only KIND ...]

`recollect serve` runs with its real parts. One client chats again and again; another sends over
four connections, one of: a line of an import with millions of empty lists, a search with a filter
of 350,000, a search with many conditions on a thousand memories, and a filter that fits. With
`--root` another checkout is measured. Prints the chat's latencies, the longest stall of the loop
that the product counted so far, and the resident memory of the process at its highest.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import tempfile
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

import psutil
from flood import CHAT, MIB, Neighbour, _answer, free_port, said, stalls
from load import ROOT, Script, Served, post, stop_on_signals, write_json

HEADER = json.dumps(
    {"recollect": "export", "format": 2, "embedder": "e", "dim": 4, "vectors": False}
).encode()
FILE = b"%s\n" % HEADER
SECONDS = 6.0
ROWS = 1000


def _search(filters: bytes) -> bytes:
    return b'{"user_id": "flood", "query": "tea", "filters": %s}' % filters


KINDS: dict[str, tuple[str, bytes]] = {
    "a line of 10.8 million lists": (
        "/v1/memories/import?user_id=flood",
        FILE + b'{"a":[%s0]}\n' % (b"[]," * 10_800_000),
    ),
    "a filter of 350,000 lists": (
        "/v1/memories/search",
        _search(b'{"a":[%s0]}' % (b"[]," * ((MIB - 200) // 3))),
    ),
    "900 conditions": (
        "/v1/memories/search",
        _search(
            json.dumps(
                {"OR": [{"memory": {"icontains": f"none {n} of them"}} for n in range(900)]}
            ).encode()
        ),
    ),
    "a small filter": ("/v1/memories/search", _search(b'{"tag": "work"}')),
}


class Peak:
    """The highest resident memory of a process while it is watched (MB)."""

    def __init__(self, pid: int) -> None:
        self._process = psutil.Process(pid)
        self._over = threading.Event()
        self.before = self.most = self._now()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()

    def _now(self) -> float:
        return self._process.memory_info().rss / 2**20

    def _watch(self) -> None:
        while not self._over.wait(0.005):
            self.most = max(self.most, self._now())

    def stop(self) -> None:
        """Watch no longer."""
        self._over.set()
        self._thread.join()


async def _send(url: str, path: str, body: bytes, until: float) -> None:
    host, port = url.removeprefix("http://").split(":")
    request = post(url, path, body)
    if "import" in path:
        request = request.replace(b"application/json", b"application/x-ndjson", 1)
    while time.monotonic() < until:
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(request)
        await writer.drain()
        await _answer(reader)
        writer.close()
        await asyncio.sleep(1 if "import" in path else 0)


async def _send_all(url: str, kind: str) -> None:
    path, body = KINDS[kind]
    until = time.monotonic() + SECONDS
    await asyncio.gather(*(_send(url, path, body, until) for _ in range(4)))


def attack(url: str, kind: str, told: Any) -> None:
    """In a process of its own; puts something into `told` when its bodies are made."""
    told.put("ready")
    asyncio.run(_send_all(url, kind))


async def watch(
    url: str, neighbour: Neighbour, process: multiprocessing.process.BaseProcess | None
) -> None:
    """Chat while the attack lasts, and for a moment after it; without one for some seconds."""
    chat = said("What do you know about my garden?").replace(b"flood", b"neighbour")
    asking = asyncio.ensure_future(neighbour.ask("chat", post(url, CHAT, chat), 0.02))
    until = time.monotonic() + SECONDS
    while time.monotonic() < until or (process is not None and process.is_alive()):
        await asyncio.sleep(0.05)
    asking.cancel()


def measure(served: Served, kind: str | None) -> dict[str, Any]:
    """One kind, or nothing."""
    neighbour, told = Neighbour(served.url), multiprocessing.get_context("spawn").Queue()
    before = stalls(served.url)
    peak = Peak(served.process.pid)
    process = None
    if kind is not None:
        context = multiprocessing.get_context("spawn")
        process = context.Process(target=attack, args=(served.url, kind, told))
        process.start()
        told.get()
    asyncio.run(watch(served.url, neighbour, process))
    peak.stop()
    after = stalls(served.url)
    times = sorted(neighbour.latencies["chat"])
    return {
        "chat_p50_ms": round(times[len(times) // 2] * 1e3, 1),
        "chat_p99_ms": round(times[int(len(times) * 0.99)] * 1e3, 1),
        "chat_max_ms": round(times[-1] * 1e3, 1),
        "stalls": after.get("stalls", 0) - before.get("stalls", 0),
        "longest_ms": after.get("longest_ms", 0),
        "rss_before_mb": round(peak.before),
        "rss_peak_mb": round(peak.most),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--root", type=Path, default=ROOT)
    parser.add_argument("--only", choices=list(KINDS), action="append", metavar="KIND")
    wanted = parser.parse_args()
    stop_on_signals()
    mock = Script("mock_upstream.py")
    rows: dict[str, Any] = {}
    with tempfile.TemporaryDirectory(prefix="recollect-bench-") as folder:
        served = Served(
            Path(folder),
            free_port(),
            root=wanted.root,
            upstream__base_url=f"{mock.url}/v1",
            learn__idle_seconds=100_000,
            learn__every_turns=1000,
        )
        try:
            fill(served.url)
            measure(served, "a small filter")  # everything is loaded now
            for kind in [None, *(wanted.only or KINDS)]:
                rows[kind or "idle"] = row = measure(served, kind)
                print(f"{kind or 'idle':30}", row, flush=True)
        finally:
            served.stop()
            mock.stop()
    print(f"written to {write_json('hostile_json', rows)}")


def fill(url: str) -> None:
    """A thousand memories of the one who floods."""
    for start in range(0, ROWS, 100):
        messages = [
            {"role": "user", "content": f"note {start + n} about something that has no name"}
            for n in range(100)
        ]
        body = json.dumps({"user_id": "flood", "infer": False, "messages": messages}).encode()
        request = urllib.request.Request(
            f"{url}/v1/memories/", body, {"Content-Type": "application/json"}
        )
        urllib.request.urlopen(request, timeout=60).close()


if __name__ == "__main__":
    main()
