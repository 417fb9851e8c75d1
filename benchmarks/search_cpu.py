"""What one search costs: the CPU of `AsyncMemory.search` against that of a bare aiohttp handler.

    python -m benchmarks.search_cpu [--rounds 7] [--requests 3000] [--profile] [--json FILE]

The handler answers small JSON and runs in this process; its client is another process, so only the
server's CPU counts. Searches run in the same process and the same rounds. Each question was asked
before, so its vector is cached. Rows over REST are `recollect serve`, with the CPU of its process.
CPU is user and system time; a row is the median of its rounds.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import itertools
import json
import multiprocessing
import pstats
import random
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ProcessPoolExecutor
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from typing import Any

from aiohttp import web

from benchmarks.load import Served, cpu_seconds, fire, quiet
from recollect.memory import AsyncMemory
from tests.support.ports import free_port

SIZES = (200, 2000)
LIMITS = (100, 10)
"""The default of a search, and what a chat would ask for."""
GOAL = 4.0
BARE = "bare handler"
WARM = 100
"""Requests before the first round: code, indexes and cached vectors are ready then."""
CONNECTIONS = 4
PART = 500
PATH = "/v1/memories/search"
PLACES = ("Lisbon", "Oslo", "Kyoto", "Lima", "Cairo", "Perth", "Quito", "Hanoi", "Dakar", "Riga")
THINGS = ("car", "bike", "garden", "cat", "boat", "guitar", "camera", "laptop", "watch", "coat")
QUESTION = "Where did I buy my camera?"
QUESTIONS = [f"Where did I buy my {thing}, and for how much?" for thing in THINGS]
Work = Callable[[int], Awaitable[float]]
"""Does something so many times; the seconds of CPU of one time."""


def said(size: int) -> list[list[dict[str, str]]]:
    """Facts of the kind people store, in parts that one call may have."""
    chooser = random.Random(7)
    facts = [
        f"User's {chooser.choice(THINGS)} number {number} was bought in {chooser.choice(PLACES)} "
        f"for {chooser.randrange(10, 9000)} EUR"
        for number in range(size)
    ]
    messages = [{"role": "user", "content": fact} for fact in facts]
    return [messages[start : start + PART] for start in range(0, size, PART)]


def drive(url: str, body: bytes, times: int) -> None:
    """Send a request so many times on keep-alive connections. Runs in a process of its own."""
    asyncio.run(fire(url, PATH, [body] * times, connections=CONNECTIONS))


async def served_by(
    pool: ProcessPoolExecutor, pid: int | None, url: str, body: bytes, times: int
) -> float:
    """CPU of one request to a server: to this process, or to that of `pid`."""
    clock = time.process_time if pid is None else partial(cpu_seconds, pid)
    started = clock()
    await asyncio.get_running_loop().run_in_executor(pool, drive, url, body, times)
    return (clock() - started) / times


async def searched(
    memory: AsyncMemory, user: str, questions: list[str], limit: int, times: int
) -> float:
    """CPU of one search in this process."""
    started = time.process_time()
    for question in itertools.islice(itertools.cycle(questions), times):
        await memory.search(question, user_id=user, limit=limit)
    return (time.process_time() - started) / times


async def bare(stack: AsyncExitStack) -> str:
    """Serve small JSON on this loop; the address."""

    async def answer(_: web.Request) -> web.Response:
        return web.json_response({"results": []})

    app = web.Application()
    app.router.add_post(PATH, answer)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    stack.push_async_callback(runner.cleanup)
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    return f"http://127.0.0.1:{runner.addresses[0][1]}"


async def product(stack: AsyncExitStack) -> Served:
    """`recollect serve` on the store in its process, with the same memories."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    served = Served(folder, free_port(), index__backend="exact")
    stack.callback(served.stop)
    for size in SIZES:
        body = {"user_id": f"u{size}", "infer": False}
        bodies = [json.dumps(body | {"messages": part}).encode() for part in said(size)]
        await fire(served.url, "/v1/memories", bodies, connections=1)
    await quiet(served.process.pid)
    return served


def name_of(size: int, limit: int) -> str:
    return f"search, {size} memories, limit {limit}"


async def works(stack: AsyncExitStack) -> dict[str, Work]:
    """Everything that is measured, ready and warm."""
    pool = stack.enter_context(
        ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
    )
    found: dict[str, Work] = {BARE: partial(served_by, pool, None, await bare(stack), b"{}")}
    memory = await stack.enter_async_context(await AsyncMemory.open())
    served = await product(stack)
    for size in SIZES:
        user = f"u{size}"
        for part in said(size):
            await memory.add(part, user_id=user, infer=False)
        for limit in LIMITS:
            found[name_of(size, limit)] = partial(searched, memory, user, [QUESTION], limit)
            body = {"query": QUESTION, "user_id": user, "limit": limit}
            found[f"{name_of(size, limit)}, over REST"] = partial(
                served_by, pool, served.process.pid, served.url, json.dumps(body).encode()
            )
        found[f"{name_of(size, LIMITS[0])}, other questions"] = partial(
            searched, memory, user, QUESTIONS, LIMITS[0]
        )
    for work in found.values():
        await work(WARM)
    return found


async def measured(arguments: argparse.Namespace) -> dict[str, Any]:
    """Seconds of CPU of each work in interleaved rounds; what is left to do costs the next one."""
    async with AsyncExitStack() as stack:
        found = await works(stack)
        seconds: dict[str, list[float]] = {name: [] for name in found}
        for _ in range(arguments.rounds):
            for name, work in found.items():
                times = arguments.requests if name == BARE else arguments.requests // 10
                seconds[name].append(await work(times))
        if arguments.profile:
            for limit in LIMITS:
                profiler = cProfile.Profile()
                with profiler:
                    await found[name_of(SIZES[0], limit)](arguments.requests // 10)
                pstats.Stats(profiler).strip_dirs().sort_stats("tottime").print_stats(10)
    base = statistics.median(seconds[BARE])
    rows = {
        name: {
            "cpu_ms": 1e3 * statistics.median(each),
            "least_ms": 1e3 * min(each),
            "most_ms": 1e3 * max(each),
            "ratio": statistics.median(each) / base,
        }
        for name, each in seconds.items()
    }
    return {"goal": GOAL, "rounds": arguments.rounds, "rows": rows}


async def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--requests", type=int, default=3000, help="Of the handler, in a round.")
    parser.add_argument("--profile", action="store_true", help="Print where a search spends it.")
    parser.add_argument("--json", type=Path, help="Write JSON here.")
    chosen = parser.parse_args()
    result = await measured(chosen)
    print(f"{'':52} {'CPU ms':>8} {'least':>8} {'most':>8} {'ratio':>7}")
    for name, row in result["rows"].items():
        print(
            f"{name:52} {row['cpu_ms']:8.3f} {row['least_ms']:8.3f} {row['most_ms']:8.3f} "
            f"{row['ratio']:7.2f}"
        )
    if chosen.json:
        chosen.json.write_text(json.dumps(result, indent=2))
    return 0


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
