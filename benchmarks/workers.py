"""How recalls per second grow with the workers behind one port (`listen.workers`).

    python benchmarks/workers.py [--counts 1,2] [--rounds 3] [--share 0.25]

The load and the model server need cores too. So each worker process gets the same share of a core
(a cgroup's CPU quota; Linux, as root), whatever their number, and all together leave room for the
rest: the ratio is that of a machine with enough cores. Milvus Lite is one process for all of them
and gets what it asks for. Rounds alternate between the counts. Prints recalls per second and CPU
for each recall, of the workers and of Milvus Lite, and the memory of each process; writes
benchmarks/results/workers.json.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import random
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from cost import PLACES, THINGS, TRAITS, chat, free_port
from load import Script, Served, cpu_seconds, median, post, write_json

USERS, MEMORIES = 20, 50
CONNECTIONS = 16
SECONDS = 6.0
WARM_ROUNDS = 2
"""Before those that count: every worker reads every user once."""
PERIOD = 100_000
"""Microseconds of a quota's period."""
CGROUP = Path("/sys/fs/cgroup/cpu")
PATH = "/v1/chat/completions"


@dataclass
class Contestant:
    """A product with so many workers."""

    count: int
    product: Served
    rates: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    store_cpu: list[float] = field(default_factory=list)

    @property
    def processes(self) -> list[psutil.Process]:
        """The processes that answer requests."""
        parent = psutil.Process(self.product.process.pid)
        workers = [p for p in parent.children() if "workers.child" in " ".join(p.cmdline())]
        return workers or [parent]

    @property
    def store(self) -> psutil.Process:
        parent = psutil.Process(self.product.process.pid)
        return next(p for p in parent.children() if "lite_server" in " ".join(p.cmdline()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--counts", default="1,2")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--share", type=float, default=0.25, help="of a core, for each worker")
    options = parser.parse_args()
    with ExitStack() as stack:
        upstream = Script("mock_upstream.py")
        stack.callback(upstream.stop)
        every = [_started(int(n), upstream.url, stack) for n in options.counts.split(",")]
        memory = {each.count: _memory(each) for each in every}
        for each in every:
            stack.enter_context(_limited(each, options.share))
        for number in range(-WARM_ROUNDS, options.rounds):
            for each in every:
                _round(each, number, warm=number < 0)
    _report(every, memory, options.share)


def _started(count: int, upstream: str, stack: ExitStack) -> Contestant:
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="recollect-bench-")))
    product = Served(
        folder / "data",
        free_port(),
        listen__workers=count,
        upstream__base_url=f"{upstream}/v1",
        recall__deadline_ms=5000,
        recall__max_concurrent=64,
        learn__idle_seconds=100_000,
        learn__every_turns=1000,
    )
    stack.callback(product.stop)
    contestant = Contestant(count, product)
    _wait_for_all(contestant)
    _fill(product.url)
    return contestant


def _wait_for_all(contestant: Contestant) -> None:
    while contestant.count > 1:
        with urllib.request.urlopen(f"{contestant.product.url}/readyz") as answer:
            if json.load(answer)["workers"]["serving"] == contestant.count:
                return
        time.sleep(0.1)


def _fill(url: str) -> None:
    chooser = random.Random(7)
    for user in range(USERS):
        texts = [
            f"User's {chooser.choice(TRAITS)} {chooser.choice(THINGS)} number {n} was bought in "
            f"{chooser.choice(PLACES)} for {chooser.randrange(10, 9000)} EUR"
            for n in range(MEMORIES)
        ]
        messages = [{"role": "user", "content": text} for text in texts]
        body = {"user_id": f"user{user}", "messages": messages, "infer": False}
        request = urllib.request.Request(
            f"{url}/v1/memories/", json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        urllib.request.urlopen(request, timeout=120).close()


@contextlib.contextmanager
def _limited(contestant: Contestant, share: float) -> Iterator[None]:
    """Each of its processes that answer has the same share of a core."""
    made = []
    for process in contestant.processes:
        group = CGROUP / f"recollect-bench-{process.pid}"
        group.mkdir()
        made.append(group)
        (group / "cpu.cfs_period_us").write_text(str(PERIOD))
        (group / "cpu.cfs_quota_us").write_text(str(int(PERIOD * share)))
        (group / "cgroup.procs").write_text(str(process.pid))
    try:
        yield
    finally:
        contestant.product.stop()
        for group in made:
            group.rmdir()


def _round(contestant: Contestant, number: int, *, warm: bool) -> None:
    processes, store = contestant.processes, contestant.store
    before = _cpu(processes), _cpu([store])
    began = time.monotonic()
    kept = asyncio.run(_fire(contestant.product.url, f"{contestant.count} {number}"))
    seconds = time.monotonic() - began
    if warm:
        return
    contestant.rates.append(kept / seconds)
    contestant.cpu.append((_cpu(processes) - before[0]) / kept * 1000)
    contestant.store_cpu.append((_cpu([store]) - before[1]) / kept * 1000)


def _cpu(processes: list[psutil.Process]) -> float:
    return sum(cpu_seconds(process.pid, children=False) for process in processes)


async def _fire(url: str, about: str) -> int:
    """Recalls that ended in time, for some seconds of questions on all connections."""
    chooser = random.Random(about)
    host, port = url.removeprefix("http://").split(":")
    end, kept = time.monotonic() + SECONDS, 0

    async def client(number: int) -> None:
        nonlocal kept
        reader, writer = await asyncio.open_connection(host, int(port))
        asked = 0
        while time.monotonic() < end:
            asked += 1
            text = (
                f"How much did I pay for my {chooser.choice(TRAITS)} {chooser.choice(THINGS)}, and "
                f"where was that, question {about} {number} {asked}?"
            )
            body = chat(text, user=f"user{chooser.randrange(USERS)}")
            writer.write(post(url, PATH, body))
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            length = int(head.split(b"content-length:")[1].split(b"\r\n")[0])
            await reader.readexactly(length)
            kept += b"x-recollect-memory: injected" in head or b"x-recollect-memory: empty" in head
        writer.close()

    await asyncio.gather(*(client(number) for number in range(CONNECTIONS)))
    return kept


def _memory(contestant: Contestant) -> dict[str, float]:
    """Resident memory, and the part of it that is no other process's (MB)."""
    found = {}
    parent = psutil.Process(contestant.product.process.pid)
    for process in [parent, *parent.children()]:
        words = " ".join(process.cmdline())
        kind = (
            "worker"
            if "workers.child" in words
            else "Milvus Lite"
            if "lite_server" in words
            else "parent"
        )
        info = process.memory_full_info()
        found[f"{kind} {process.pid} RSS"] = round(info.rss / 2**20, 1)
        found[f"{kind} {process.pid} PSS"] = round(info.pss / 2**20, 1)
    return found


def _report(every: list[Contestant], memory: dict[int, dict[str, float]], share: float) -> None:
    base = median(every[0].rates)
    print(f"{'workers':>8}{'recalls/s':>11}{'ratio':>7}{'CPU ms':>8}{'store ms':>10}")
    rows = []
    for each in every:
        rate = median(each.rates)
        row = {
            "workers": each.count,
            "share_of_a_core_each": share,
            "recalls_per_second": round(rate, 1),
            "rounds": [round(value, 1) for value in each.rates],
            "ratio": round(rate / base, 2),
            "cpu_ms": round(median(each.cpu), 1),
            "store_cpu_ms": round(median(each.store_cpu), 1),
            "memory_mb": memory[each.count],
        }
        rows.append(row)
        print(
            f"{each.count:>8}{rate:>11.1f}{row['ratio']:>7}{row['cpu_ms']:>8}{row['store_cpu_ms']:>10}"
        )
        for name, value in memory[each.count].items():
            print(f"           {name}: {value} MB")
    write_json("workers", rows)


if __name__ == "__main__":
    main()
