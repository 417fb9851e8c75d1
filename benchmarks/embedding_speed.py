"""What embedding costs with the default embedder, beside another checkout's in the same run.

    python benchmarks/embedders.py --speed [--base FOLDER]

Questions one after the other, texts in the background, and bulk calls of 16 and of 64 texts, all of
our own stored memories. The checkouts take turns in processes of their own, so that both meet the
same machine: the second smallest of the rounds counts. Prints milliseconds for each text, the
resident memory that the embedder takes, and how long it takes to open; writes
benchmarks/results/embedding_speed.json.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psutil

ROOT = Path(__file__).resolve().parent.parent
MODELS = Path("~/.recollect/models").expanduser()
KINDS = {"question": 1, "background": 64, "bulk of 16": 16, "bulk of 64": 64}
"""Texts of a call."""
TEXTS = 128


class Checkout:
    """The embedder of a checkout in a process of its own."""

    def __init__(self, root: Path) -> None:
        command = [sys.executable, __file__]
        environ = os.environ | {"PYTHONPATH": str(root)}
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environ
        )
        self.opened = self._answer()

    def ask(self, kind: str, texts: Sequence[str]) -> dict[str, Any]:
        """What embedding these texts in calls of this kind took."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([kind, texts]) + "\n")
        self._process.stdin.flush()
        return self._answer()

    def stop(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())


async def serve() -> None:
    """Answer calls on standard input with what they took, in the checkout of PYTHONPATH."""
    import numpy  # noqa: F401, ICN001 - no part of what opening takes

    from recollect.memory.embedders import LocalEmbedderOptions, in_background, open_embedder

    process, before = psutil.Process(), psutil.Process().memory_info().rss
    started = time.process_time()
    embedder = await open_embedder(LocalEmbedderOptions(model_dir=MODELS))
    told: dict[str, Any] = {"id": embedder.id, "open_cpu": time.process_time() - started}
    while True:
        told["rss_mb"] = (process.memory_info().rss - before) / 2**20
        print(json.dumps(told), flush=True)
        line = await asyncio.to_thread(sys.stdin.readline)
        if not line:
            return await embedder.close()
        kind, texts = json.loads(line)
        cpu, wall = time.process_time(), time.perf_counter()
        for at in range(0, len(texts), KINDS[kind]):
            call = texts[at : at + KINDS[kind]]
            if kind == "background":
                with in_background():
                    await embedder.embed(call)
            else:
                await embedder.embed(call)
        told = {"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall}


def texts() -> list[str]:
    """Stored memories of dialogue length, in order."""
    sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]
    from unseen import sets

    rows = [row for path in sets.own("recall").values() for row in sets.read(path)]
    return [sets.stored(memory) for row in rows for memory in row["memories"]][:TEXTS]


def measured(checkouts: dict[str, Checkout], rounds: int) -> dict[str, Any]:
    """Milliseconds for each text by checkout, kind and clock."""
    given = texts()
    took: dict[str, dict[str, list[dict[str, Any]]]] = {
        name: {kind: [] for kind in KINDS} for name in checkouts
    }
    for _ in range(rounds):
        for kind in KINDS:
            for name, checkout in checkouts.items():
                took[name][kind].append(checkout.ask(kind, given))
    return {
        name: {
            kind: {
                clock: sorted(each[clock] for each in runs)[1] / len(given) * 1e3
                for clock in ("cpu", "wall")
            }
            | {"rss_mb": runs[-1]["rss_mb"]}
            for kind, runs in kinds.items()
        }
        for name, kinds in took.items()
    }


def show(result: dict[str, Any]) -> None:
    """The table: one row for each kind of call."""
    first = next(iter(result.values()))
    print(
        f"{'ms for each text':20}"
        + "".join(f"{name + ', ' + c:>16}" for name in result for c in ("cpu", "wall"))
    )
    for kind in KINDS:
        cells = "".join(f"{row[kind][c]:16.2f}" for row in result.values() for c in ("cpu", "wall"))
        times = [f"{row[kind]['cpu'] / first[kind]['cpu']:.2f}x" for row in result.values()]
        print(f"{kind:20}{cells}   {' '.join(times[1:])}")


def compare(base: Path | None, rounds: int = 7) -> None:
    """Measure, show, write."""
    roots = {"this": ROOT} | ({"base": base} if base else {})
    checkouts = {name: Checkout(root.resolve()) for name, root in roots.items()}
    opened = {name: each.opened for name, each in checkouts.items()}
    result = measured(checkouts, rounds)
    for each in checkouts.values():
        each.stop()
    show(result)
    for name, each in opened.items():
        rss = result[name]["bulk of 64"]["rss_mb"]
        print(
            f"{name}: {each['id']}, opened in {each['open_cpu']:.2f} s of processor time, "
            f"{each['rss_mb']:.0f} MB, {rss:.0f} after the run"
        )
    from load import write_json

    print(f"written to {write_json('embedding_speed', {'opened': opened, 'ms': result})}")


if __name__ == "__main__":
    asyncio.run(serve())
