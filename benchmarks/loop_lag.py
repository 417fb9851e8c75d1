"""Is the event loop ever blocked? A ticker inside the product's own loop measures how late it is.

The product runs in this process with all its real parts; the load comes from another. The baseline
is the same ticker in the same process with no load. Prints a table, writes
benchmarks/results/loop_lag.json. Scheduling noise of the machine is in both.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import random
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT))

import aiohttp  # noqa: E402
from aiohttp import web  # noqa: E402
from cost import MEMORIES_PER_USER, THINGS, TRAITS, chat, memory_text  # noqa: E402
from load import Script, fire, percentile, write_json  # noqa: E402

from recollect.config import load_settings  # noqa: E402
from recollect.memory.util.tokens import TiktokenCounter  # noqa: E402
from recollect.proxy.serve import build_runner, settle  # noqa: E402

TICK = 0.001
USERS = 20


class Ticker:
    """Sleeps a millisecond again and again, and notes how much longer it was."""

    def __init__(self) -> None:
        self.late: list[float] = []
        self._task = asyncio.ensure_future(self._tick())

    async def _tick(self) -> None:
        while True:
            started = time.perf_counter()
            await asyncio.sleep(TICK)
            self.late.append(time.perf_counter() - started - TICK)

    def stop(self) -> dict[str, float]:
        """Milliseconds."""
        self._task.cancel()
        return {
            "p50_ms": percentile(self.late, 0.5) * 1e3,
            "p99_ms": percentile(self.late, 0.99) * 1e3,
            "p99.9_ms": percentile(self.late, 0.999) * 1e3,
            "max_ms": max(self.late) * 1e3,
        }


def ask(url: str, requests: int, connections: int) -> None:
    """The load, in a process of its own."""
    chooser = random.Random(3)
    bodies = [
        chat(
            f"What did my {chooser.choice(TRAITS)} {chooser.choice(THINGS)} cost me, number {n}?",
            user=f"user{chooser.randrange(USERS)}",
        )
        for n in range(requests)
    ]
    asyncio.run(fire(url, "/v1/chat/completions", bodies, connections=connections))


async def loaded(url: str, requests: int, connections: int) -> dict[str, float]:
    """The ticker while another process sends requests."""
    ticker = Ticker()
    process = multiprocessing.get_context("spawn").Process(
        target=ask, args=(url, requests, connections)
    )
    process.start()
    while process.is_alive():
        await asyncio.sleep(0.05)
    return ticker.stop()


async def filled(url: str) -> dict[str, float]:
    """The ticker while 2,000 memories are embedded and stored."""
    ticker = Ticker()
    chooser = random.Random(7)
    async with aiohttp.ClientSession() as session:
        for user in range(USERS):
            texts = [memory_text(chooser, n) for n in range(MEMORIES_PER_USER)]
            body = {
                "user_id": f"user{user}",
                "infer": False,
                "messages": [{"role": "user", "content": t} for t in texts],
            }
            async with session.post(f"{url}/v1/memories/", json=body) as answer:
                assert answer.status == 200, await answer.text()
    return ticker.stop()


async def main(requests: int) -> None:
    mock = Script("mock_upstream.py")
    with tempfile.TemporaryDirectory(prefix="recollect-bench-") as folder:
        settings = load_settings(
            environ={},
            flags={
                "data_dir": folder,
                "listen.port": 0,
                "upstream.base_url": f"{mock.url}/v1",
                "embedder.model_dir": str(Path("~/.recollect/models").expanduser()),
                "learn.idle_seconds": 100_000,
                "recall.deadline_ms": 5000,
            },
        )
        runner = build_runner(settings)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        settle()
        url = runner.urls[0]
        idle = Ticker()
        await asyncio.sleep(5)
        result = {"idle": idle.stop(), "storing 2,000": await filled(url)}
        await asyncio.sleep(3)
        result["recall, 1 client"] = await loaded(url, requests, 1)
        result["recall, 8 clients"] = await loaded(url, requests, 8)
        counter = await TiktokenCounter.open()
        worst = {}
        for name, text in {
            "5 memories": "User's car was bought in Oslo. " * 5,
            "20,000 x 'a'": "a" * 20_000,
        }.items():
            started = time.perf_counter()
            counter.count(text)
            worst[name] = (time.perf_counter() - started) * 1e3
        await runner.cleanup()
    mock.stop()
    print(f"{'loop lateness':20} {'p50 ms':>8} {'p99 ms':>8} {'p99.9 ms':>9} {'max ms':>8}")
    for name, row in result.items():
        print(
            f"{name:20} {row['p50_ms']:8.2f} {row['p99_ms']:8.2f} {row['p99.9_ms']:9.2f} "
            f"{row['max_ms']:8.2f}"
        )
    print("token counter:", json.dumps({k: f"{v:.2f} ms" for k, v in worst.items()}))
    print(f"written to {write_json('loop_lag', {**result, 'token_counter_ms': worst})}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=400)
    asyncio.run(main(parser.parse_args().requests))
