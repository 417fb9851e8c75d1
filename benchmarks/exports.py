"""What exports cost their neighbours, in a store of many tenants.

    python benchmarks/exports.py [--tenants 48] [--users 10] [--rows 100] [--root CHECKOUT]

`recollect serve` runs in a process of its own with its real parts, over 48,000 memories with
vectors. Prints

- how long one user's export and one tenant's `GET /v1/entities` take, alone;
- what another tenant's chats feel while eight exports run, and while forty-eight are asked for;
- how much the product grows while thirty clients ask for an export and never read it.

With `--root` the product of another checkout is measured, such as that before a change.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import socket
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from load import Script, Served, percentile, post, rss_mb, stop_on_signals, write_json

from recollect.memory.api.library import library_options
from recollect.memory.engine.engine import Engine
from recollect.memory.model.types import MemoryItem, MemoryType, Scope, StoredMemory, utc_now

KEYS = {"t0": "sk-mock", "t1": "sk-other"}
BATCH = 480
UNREAD = 30
UNREAD_SECONDS = 8.0
"""How long the product is watched while nobody reads."""
CHAT = "/v1/chat/completions"
EXPORT = "/v1/memories/export?user_id=u1"


async def fill(folder: Path, tenants: int, users: int, rows: int) -> None:
    """Memories with vectors that no model made, in the order in which they would arrive."""
    rng = np.random.default_rng(7)
    async with Engine.open(library_options({}, folder)) as engine:
        embedder, now = engine.parts.embedder, utc_now()
        every = [
            (f"t{tenant}", f"u{user}", row)
            for row in range(rows)
            for tenant in range(tenants)
            for user in range(users)
        ]
        for start in range(0, len(every), BATCH):
            some = every[start : start + BATCH]
            vectors = rng.standard_normal((len(some), embedder.dim)).astype(np.float32)
            vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
            items = [
                MemoryItem(
                    id=f"{(start + n) * 7919 % 1_000_003:08x}-{start + n}",
                    text=f"The user of {tenant} keeps bicycle {row} beside the house of the family",
                    type=MemoryType.SEMANTIC,
                    scope=Scope(tenant=tenant, user_id=user),
                    created_at=now,
                    updated_at=now,
                    embedder_id=embedder.id,
                )
                for n, (tenant, user, row) in enumerate(some)
            ]
            await engine.parts.store.put(
                [StoredMemory(item, vector) for item, vector in zip(items, vectors, strict=True)]
            )


def get(url: str, path: str) -> bytes:
    """A request of the other tenant."""
    host = url.removeprefix("http://")
    head = f"GET {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {KEYS['t1']}\r\n"
    return (head + "Connection: close\r\n\r\n").encode()


async def asked(url: str, path: str) -> tuple[str, int, float]:
    """The status of an answer, its bytes, and the seconds that it took."""
    host, port = url.removeprefix("http://").split(":")
    began = time.perf_counter()
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(get(url, path))
    status, size = (await reader.readline()).split(b" ")[1].decode(), 0
    while data := await reader.read(65_536):
        size += len(data)
    writer.close()
    return status, size, time.perf_counter() - began


class Neighbour:
    """Chats of another tenant: how long they took, and how many had memory."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.latencies: list[float] = []
        self.memory: Counter[str] = Counter()

    async def ask(self) -> None:
        """Until it is cancelled."""
        host, port = self._url.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        number = 0
        while True:
            number += 1
            text = f"What do you know about my bicycle {number} at the house?"
            messages = [{"role": "user", "content": text}]
            body = json.dumps({"model": "m", "user": f"u{number % 10}", "messages": messages})
            began = time.perf_counter()
            writer.write(post(self._url, CHAT, body.encode()))
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            fields = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if line)
            await reader.readexactly(int(fields["content-length"]))
            self.latencies.append(time.perf_counter() - began)
            self.memory[fields.get("x-recollect-memory", "none")] += 1
            await asyncio.sleep(0.02)


async def felt(url: str, exports: int, *, seconds: float = 3.0) -> dict[str, Any]:
    """What the neighbour feels while so many exports are asked for at once, again and again."""
    neighbour, statuses = Neighbour(url), Counter[str]()
    until = time.monotonic() + seconds

    async def export() -> None:
        while time.monotonic() < until:
            status, _, _ = await asked(url, EXPORT)
            statuses[status] += 1
            if status != "200":
                await asyncio.sleep(0.2)

    chats = asyncio.ensure_future(neighbour.ask())
    await asyncio.gather(asyncio.sleep(seconds), *(export() for _ in range(exports)))
    chats.cancel()
    return {
        "exports at once": exports,
        "chat_p50_ms": round(percentile(neighbour.latencies, 0.5) * 1e3, 1),
        "chat_p99_ms": round(percentile(neighbour.latencies, 0.99) * 1e3, 1),
        "chats": dict(neighbour.memory),
        "answers": dict(statuses),
    }


async def unread(url: str, pid: int) -> dict[str, Any]:
    """How much the product grows while nobody reads what was asked for."""
    host, port = url.removeprefix("http://").split(":")
    before = most = sum(rss_mb(pid).values())
    sockets = []
    for _ in range(UNREAD):
        one = socket.create_connection((host, int(port)))
        one.sendall(get(url, "/v1/memories/export"))
        sockets.append(one)
    until = time.monotonic() + UNREAD_SECONDS
    while time.monotonic() < until:
        await asyncio.sleep(0.2)
        most = max(most, sum(rss_mb(pid).values()))
    for one in sockets:
        one.close()
    return {"connections": UNREAD, "before_mb": before, "most_mb": most}


async def measure(served: Served) -> dict[str, Any]:
    """Everything, one after the other."""
    url, found = served.url, {}
    await felt(url, 1, seconds=1)  # everything is loaded now
    for name, path in (("export", EXPORT), ("entities", "/v1/entities")):
        runs = [await asked(url, path) for _ in range(3)]
        assert {status for status, _, _ in runs} == {"200"}, runs
        found[name] = {"seconds": round(min(run[2] for run in runs), 3), "bytes": runs[0][1]}
    found["felt"] = [await felt(url, exports) for exports in (0, 8, 48)]
    found["unread"] = await unread(url, served.process.pid)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tenants", type=int, default=48)
    parser.add_argument("--users", type=int, default=10)
    parser.add_argument("--rows", type=int, default=100)
    parser.add_argument("--root", type=Path, help="another checkout")
    parser.add_argument("--folder", type=Path, help="keep the store here for the next run")
    chosen = parser.parse_args()
    stop_on_signals()
    with tempfile.TemporaryDirectory(prefix="recollect-bench-") as made:
        folder = chosen.folder or Path(made)
        if not (folder / "recollect.db").exists():
            asyncio.run(fill(folder, chosen.tenants, chosen.users, chosen.rows))
        mock = Script("mock_upstream.py")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = int(probe.getsockname()[1])
        served = Served(
            folder,
            port,
            root=chosen.root,
            upstream__base_url=f"{mock.url}/v1",
            identity__mode="gateway",
            identity__tenants=json.dumps(KEYS),
            learn__idle_seconds=100_000,
            learn__every_turns=1000,
        )
        try:
            found = asyncio.run(measure(served))
        finally:
            served.stop()
            mock.stop()
    print(json.dumps(found, indent=2))
    print(f"written to {write_json('exports', found)}")


if __name__ == "__main__":
    main()
