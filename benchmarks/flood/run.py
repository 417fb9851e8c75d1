"""What a neighbour feels while somebody floods the product, and what it does to its memory.

    python benchmarks/flood/run.py [--bodies 50] [--only KIND ...] [--memories 48000] [--minutes 60]

`recollect serve` runs in a process of its own with its real parts and a filled store. One client,
the neighbour, asks `/healthz` and sends a chat of its own again and again; another process sends
many requests of one kind at once, each over its own connection. The baseline is the same
neighbour just before each flood, with nobody else there, once the product has done what the filled
store and the flood before left to do.

Prints for each kind the neighbour's latencies as multiples of the idle ones, the stalls of the
event loop that the product counted, and its resident memory: most during the flood, and after it.
With `--minutes` all kinds are sent again and again for that long. Writes
benchmarks/results/flood.json.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

from attacking import attack  # noqa: E402 - the script runs without an installation
from kinds import KINDS  # noqa: E402
from load import Script, Served, cpu_seconds, free_port, rss_mb, stop_on_signals, write_json  # noqa: E402
from neighbour import Neighbour  # noqa: E402

LOOK_SECONDS = 0.1
AFTERMATH_SECONDS = 120.0
FIRST_SECONDS = 600.0
"""Longest wait for quiet: before each kind, and for the names in the filled store to be linked."""
BUSY_CPU = 0.1
"""Share of a core that a quiet product takes at most, over so many seconds."""
QUIET_SECONDS = 2.0
MOST = 3.0
"""A kind above this multiple of the idle p99 hurts."""
COLUMNS = [f"{what}_{which}_ms" for what in ("healthz", "chat") for which in ("p50", "p99", "max")]


class Resident:
    """Looks at the resident memory of a process and those below it (MB), in a thread."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self.most = self.now()
        self._thread.start()

    def now(self) -> float:
        return sum(rss_mb(self._pid).values())

    def stop(self) -> float:
        """The memory at the end."""
        self._over.set()
        self._thread.join()
        return self.now()

    def _look(self) -> None:
        while not self._over.wait(LOOK_SECONDS):
            self.most = max(self.most, self.now())


def stalls(url: str) -> dict[str, int]:
    """What the product's own watchdog counted."""
    with urllib.request.urlopen(f"{url}/readyz", timeout=60) as answer:
        return dict(json.load(answer).get("loop", {}))


def rest(served: Served, seconds: float) -> None:
    """Wait until the product does nothing any more."""
    until, pid = time.monotonic() + seconds, served.process.pid
    while time.monotonic() < until:
        before = cpu_seconds(pid)
        time.sleep(QUIET_SECONDS)
        if cpu_seconds(pid) - before < BUSY_CPU * QUIET_SECONDS:
            return
    print(f"not quiet after {seconds:.0f} s", flush=True)


def measure(served: Served, kind: str | None, count: int | None) -> dict[str, Any]:
    """One flood, or none."""
    before = stalls(served.url)
    neighbour, resident = Neighbour(served.url), Resident(served.process.pid)
    process, told = None, multiprocessing.get_context("spawn").Queue()
    if kind is not None:
        process = multiprocessing.get_context("spawn").Process(
            target=attack, args=(served.url, kind, count, told)
        )
        process.start()
        told.get()  # its bodies are made
    asyncio.run(neighbour.watch(process))
    after = stalls(served.url)
    left = resident.stop()
    return {
        **neighbour.row(),
        "stalls": after.get("stalls", 0) - before.get("stalls", 0),
        "longest_ms": after.get("longest_ms", 0),
        "rss_most_mb": round(resident.most),
        "rss_after_mb": round(left),
        "answers": told.get() if kind is not None else {},
    }


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--bodies", type=int, help="of each kind at once, at most")
    parser.add_argument("--only", choices=list(KINDS), action="append", metavar="KIND")
    parser.add_argument("--memories", type=int, default=48_000, help="of a hundred for each user")
    parser.add_argument("--minutes", type=float, default=0, help="again and again for that long")
    return parser.parse_args()


def main() -> None:
    wanted = arguments()
    stop_on_signals()
    mock = Script("mock_upstream.py")
    with tempfile.TemporaryDirectory(prefix="recollect-bench-") as folder:
        if wanted.memories:
            filling = [sys.executable, str(HERE / "filling.py"), folder, str(wanted.memories)]
            subprocess.run(filling, cwd=HERE.parents[1], env=_env(), check=True)
        served = Served(
            Path(folder),
            free_port(),
            upstream__base_url=f"{mock.url}/v1",
            learn__idle_seconds=100_000,
            learn__every_turns=1000,
        )
        try:
            rounds = flooded(served, wanted)
        finally:
            served.stop()
            mock.stop()
    print(f"written to {write_json('flood', rounds)}")


def _env() -> dict[str, str]:
    return {"PYTHONPATH": str(HERE.parents[1]), "HOME": str(Path.home()), "PATH": "/usr/bin:/bin"}


def flooded(served: Served, wanted: argparse.Namespace) -> list[dict[str, Any]]:
    """One round of all kinds, or as many as fit."""
    print(f"{'':28} {'healthz p50':>11} {'p99':>7} {'max':>7}", end=" ")
    print(
        f"{'chat p50':>9} {'p99':>7} {'max':>7} {'degraded':>9} {'MB most':>8} {'after':>6}  stalls"
    )
    measure(served, "ordinary chats", 5)  # everything is loaded now
    rest(served, FIRST_SECONDS)
    until = time.monotonic() + wanted.minutes * 60
    rounds: list[dict[str, Any]] = []
    while not rounds or time.monotonic() < until:
        rows: dict[str, dict[str, Any]] = {}
        for kind in wanted.only or KINDS:
            rest(served, AFTERMATH_SECONDS)
            idle = measure(served, None, None)
            row = rows[kind] = measure(served, kind, wanted.bodies) | {"idle": idle}
            show("idle", idle, idle)
            show(kind, row, idle)
        rounds.append(rows)
        hurting = [kind for kind, row in rows.items() if hurts(row)]
        print(f"after round {len(rounds)}: {row['rss_after_mb']} MB", flush=True)
        print(f"above {MOST:.0f}x: {len(hurting)} of {len(rows)}: {', '.join(hurting)}", flush=True)
    return rounds


def hurts(row: dict[str, Any]) -> bool:
    """Whether a neighbour's p99 is above `MOST` times what it was just before."""
    keys = ("healthz_p99_ms", "chat_p99_ms")
    return any(row[key] > MOST * row["idle"][key] for key in keys)


def show(name: str, row: dict[str, Any], idle: dict[str, Any]) -> None:
    """Milliseconds for the idle row, multiples of it for the others."""
    cells = [
        f"{row[key]:.1f}" if row is idle else f"{row[key] / idle[key]:.1f}x" for key in COLUMNS
    ]
    widths = (11, 7, 7, 9, 7, 7)
    line = " ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))
    answers = ", ".join(f"{count} x {status}" for status, count in row["answers"].items())
    memory = f"{row['rss_most_mb']:>8} {row['rss_after_mb']:>6}"
    print(
        f"{name:28} {line} {row['degraded']:>9.0%} {memory}  "
        f"{row['stalls']} (longest so far {row['longest_ms']} ms)  {answers}",
        flush=True,
    )


if __name__ == "__main__":
    main()
