"""What a slow machine still remembers: the server is stopped and continued in cycles.

    python benchmarks/slow.py --times 10 --deadlines 150,400

Each contestant is a server with another `recall.deadline_ms` (`--against DIR` adds the server of
another checkout, with the first deadline). Rounds are interleaved; only the measured server is
slowed. Two kinds of load: so many clients, each with one chat at a time, and so many chats per
second, as multiples of the highest rate of recalls seen. Prints a table and writes
benchmarks/results/slow.json.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import json
import os
import random
import signal
import tempfile
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
from cost import chat, free_port, memory_text
from load import Script, Served, median, percentile, post, write_json
from slowed import CYCLE_SECONDS

from recollect.filters import RequestRecallOptions

USERS = 20
MEMORIES_PER_USER = 50
CLIENTS = (1, 8, 32)
MANY, GOAL = "32 clients", 0.9
RATES = (0.5, 1.0, 2.0)
"""Chats per second, as multiples of the most recalls per second that clients got."""
FIRST_RATE, STEP = 4.0, 1.5
PATH = "/v1/chat/completions"
NO_MEMORY = "x-recollect-memory: off\r\n"
KEPT = ("injected", "empty")
LONGEST_CALL = 60.0


@dataclass(slots=True)
class Seen:
    """The answers of one round."""

    seconds: float = 0.0
    latencies: list[float] = field(default_factory=list)
    outcomes: Counter[str] = field(default_factory=Counter)

    @property
    def kept(self) -> int:
        return sum(self.outcomes[word] for word in KEPT)


class Slowness:
    """Stops a server and its children for a share of each cycle, in a thread."""

    def __init__(self, pid: int, times: float) -> None:
        process = psutil.Process(pid)
        self._pids = [pid, *(child.pid for child in process.children(recursive=True))]
        self._times = times
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> None:
        if self._times > 1:
            self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._end.set()
        if self._times > 1:
            self._thread.join()

    def _run(self) -> None:
        while not self._end.wait(CYCLE_SECONDS / self._times):
            self._signal(signal.SIGSTOP)
            time.sleep(CYCLE_SECONDS * (1 - 1 / self._times))
            self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        for pid in self._pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)


class Load:
    """Sends chats to one server and notes what their answers say."""

    def __init__(self, url: str, texts: Iterator[bytes]) -> None:
        self._url = url
        self._address = url.removeprefix("http://").split(":")
        self._texts = texts

    async def clients(self, count: int, seconds: float, headers: str = "") -> Seen:
        """So many clients, each with one chat after the other."""
        seen, began = Seen(), time.perf_counter()

        async def client() -> None:
            reader, writer = await asyncio.open_connection(*self._address)
            while time.perf_counter() < began + seconds:
                await self._call(reader, writer, headers, time.perf_counter(), seen)
            writer.close()

        await asyncio.gather(*(client() for _ in range(count)))
        seen.seconds = time.perf_counter() - began
        return seen

    async def rate(self, per_second: float, seconds: float, headers: str = "") -> Seen:
        """So many chats per second at random times, whether or not earlier ones were answered."""
        seen, began = Seen(), time.perf_counter()
        free: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
        chooser = random.Random(3)

        async def one(due: float) -> None:
            pair = free.pop() if free else await asyncio.open_connection(*self._address)
            await self._call(*pair, headers, due, seen)
            free.append(pair)

        async with asyncio.TaskGroup() as calls:
            due = began
            while (due := due + chooser.expovariate(per_second)) < began + seconds:
                await asyncio.sleep(max(0.0, due - time.perf_counter()))
                calls.create_task(one(due))
        seen.seconds = max(seconds, time.perf_counter() - began)
        for _, writer in free:
            writer.close()
        return seen

    async def _call(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        headers: str,
        due: float,
        seen: Seen,
    ) -> None:
        writer.write(post(self._url, PATH, next(self._texts), headers))
        async with asyncio.timeout(LONGEST_CALL):
            head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
            fields = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if line)
            await reader.readexactly(int(fields["content-length"]))
        seen.latencies.append(time.perf_counter() - due)
        outcome = fields["x-recollect-memory"]
        seen.outcomes[outcome if outcome in KEPT else fields["x-recollect-reason"]] += 1


def questions(seed: int, answer_ms: int) -> Iterator[bytes]:
    """Chats that need a recall, each with a text of its own."""
    chooser = random.Random(seed)
    late = f" mock:late:1:{answer_ms}" if answer_ms else ""
    for number in itertools.count():
        thing = memory_text(chooser, number).split("'s ")[1].split(" number")[0]
        text = f"How much did I pay for my {thing}, and where was that, question {seed} {number}?"
        yield chat(text, user=f"user{chooser.randrange(USERS)}", metadata={"mock": late})


def fill(url: str) -> None:
    """The memories of all users, through the memory API."""
    chooser = random.Random(7)
    for user in range(USERS):
        texts = [memory_text(chooser, n) for n in range(MEMORIES_PER_USER)]
        messages = [{"role": "user", "content": text} for text in texts]
        _add(url, {"user_id": f"user{user}", "messages": messages, "infer": False})


def _add(url: str, body: dict[str, Any]) -> float:
    data = json.dumps(body).encode()
    began = time.perf_counter()
    request = urllib.request.Request(
        f"{url}/v1/memories/", data, {"Content-Type": "application/json"}
    )
    urllib.request.urlopen(request, timeout=300).close()
    return time.perf_counter() - began


def adds(url: str, count: int, times: float, pid: int) -> list[float]:
    """Seconds of so many direct additions of one memory, one after the other."""
    chooser = random.Random(time.monotonic_ns())
    found = []
    with Slowness(pid, times):
        for number in range(count):
            message = {"role": "user", "content": memory_text(chooser, 1000 + number)}
            found.append(_add(url, {"user_id": "adder", "messages": [message], "infer": False}))
    return found


class Contestant:
    """One server, filled and warm, and what was seen of it."""

    def __init__(self, name: str, server: Served, seed: int, answer_ms: int) -> None:
        self.name = name
        self.server = server
        self.load = Load(server.url, questions(seed, answer_ms))
        self.seen: dict[str, list[dict[str, float]]] = {}
        self.adds: list[float] = []

    async def measure(
        self, case: str, times: float, run: Callable[[Load, str], Any]
    ) -> dict[str, float]:
        """One round with memory and one without, both slowed."""
        with Slowness(self.server.process.pid, times):
            without = await run(self.load, NO_MEMORY)
            seen = await run(self.load, "")
        row = _row(seen, without)
        self.seen.setdefault(case, []).append(row)
        return row

    async def saturate(self, times: float, seconds: float) -> float:
        """The most recalls per second, of rates that rise to twice as many."""
        rate, most = FIRST_RATE, 0.0
        with Slowness(self.server.process.pid, times):
            while rate < 2 * STEP * most or not most:
                seen = await self.load.rate(rate, seconds)
                most = max(most, seen.kept / seen.seconds)
                rate *= STEP
        return most


def _row(seen: Seen, without: Seen) -> dict[str, float]:
    total = max(1, len(seen.latencies))
    base = percentile(without.latencies, 0.5)
    shares = {f"share_{word}": count / total for word, count in seen.outcomes.items()}
    return {
        "chats": total,
        "chats_per_second": total / seen.seconds,
        "recalls_per_second": seen.kept / seen.seconds,
        "kept": seen.kept / total,
        "added_p50_ms": (percentile(seen.latencies, 0.5) - base) * 1e3,
        "added_p99_ms": (percentile(seen.latencies, 0.99) - base) * 1e3,
        "without_p50_ms": base * 1e3,
        "without_p99_ms": percentile(without.latencies, 0.99) * 1e3,
        **shares,
    }


async def run(arguments: argparse.Namespace) -> dict[str, Any]:
    with contextlib.ExitStack() as stack:
        mock = Script("mock_upstream.py")
        stack.callback(mock.stop)
        rows = [_contestant(name, mock.url, stack, arguments) for name in names(arguments)]
        for number in range(arguments.rounds):
            for row in random.Random(number).sample(rows, len(rows)):
                print(f"round {number + 1} of {arguments.rounds}: {row.name}", flush=True)
                await _round(row, arguments)
    return {
        "times": arguments.times,
        "answer_ms": arguments.answer_ms,
        "contestants": {
            row.name: {"cases": merged(row.seen), "add_ms": median(row.adds) * 1e3} for row in rows
        },
    }


def names(arguments: argparse.Namespace) -> list[tuple[str, Path | None]]:
    """What is compared: deadlines, of this checkout or of another one."""
    own = [(deadline, None) for deadline in arguments.deadlines.split(",")]
    return [*own, *([(own[0][0], arguments.against)] if arguments.against else [])]


def _contestant(
    what: tuple[str, Path | None],
    upstream: str,
    stack: contextlib.ExitStack,
    arguments: argparse.Namespace,
) -> Contestant:
    deadline, root = what
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="recollect-slow-"))
    server = Served(
        Path(folder),
        free_port(),
        root=root,
        upstream__base_url=f"{upstream}/v1",
        learn__idle_seconds=100_000,
        learn__every_turns=1000,
        learn__drift=False,
        recall__deadline_ms=deadline,
        telemetry__log_level="error",
    )
    stack.callback(server.stop)
    fill(server.url)
    name = deadline if root is None else f"{deadline} ({root.name})"
    return Contestant(name, server, 1, arguments.answer_ms)


async def _round(row: Contestant, arguments: argparse.Namespace) -> None:
    times, seconds = arguments.times, arguments.seconds
    for count in CLIENTS:
        await row.measure(
            f"{count} clients",
            times,
            lambda load, headers, n=count: load.clients(n, seconds, headers),
        )
    most = await row.saturate(times, seconds)
    for factor in RATES:
        await row.measure(
            f"{factor:g} x saturation",
            times,
            lambda load, headers, n=factor * most: load.rate(n, seconds, headers),
        )
    pid = row.server.process.pid
    row.adds += await asyncio.to_thread(adds, row.server.url, arguments.adds, times, pid)


def merged(cases: dict[str, list[dict[str, float]]]) -> dict[str, dict[str, float]]:
    """The medians of the rounds, and the share of the peak that each case reaches."""
    keys = {case: sorted({key for row in rows for key in row}) for case, rows in cases.items()}
    found = {
        case: {key: median([row.get(key, 0.0) for row in rows]) for key in keys[case]}
        for case, rows in cases.items()
    }
    peaks = [
        max(row["recalls_per_second"] for row in one) for one in zip(*cases.values(), strict=True)
    ]
    for case, rows in cases.items():
        shares = [row["recalls_per_second"] / peak for row, peak in zip(rows, peaks, strict=True)]
        found[case]["of_peak"] = median(shares)
    return found


COLUMNS: Sequence[tuple[str, str, float]] = (
    ("kept", "kept %", 100),
    ("chats_per_second", "chats/s", 1),
    ("recalls_per_second", "recalls/s", 1),
    ("of_peak", "of peak %", 100),
    ("share_busy", "busy %", 100),
    ("share_deadline", "late %", 100),
    ("share_circuit_open", "open %", 100),
    ("added_p50_ms", "+p50 ms", 1),
    ("added_p99_ms", "+p99 ms", 1),
    ("without_p50_ms", "none p50", 1),
    ("without_p99_ms", "none p99", 1),
)


def show(result: dict[str, Any]) -> None:
    """Print the table, one block for each kind of load."""
    contestants = result["contestants"]
    width = max(map(len, contestants))
    print(f"\na machine {result['times']:g} times slower; medians of the rounds")
    for case in next(iter(contestants.values()))["cases"]:
        print(f"\n{case:{width + 2}}" + "".join(f"{head:>11}" for _, head, _ in COLUMNS))
        for name, row in contestants.items():
            values = (row["cases"][case].get(key, 0.0) * factor for key, _, factor in COLUMNS)
            print(f"  {name:{width}}" + "".join(f"{value:11.1f}" for value in values))
    print(f"\nrecalls that {MANY} keep of the peak (goal: {GOAL:.0%} or more)")
    for name, row in contestants.items():
        print(f"  {name:{width}}{row['cases'][MANY]['of_peak']:11.0%}")
    print("\ndirect add, one memory (ms)")
    for name, row in contestants.items():
        print(f"  {name:{width}}{row['add_ms']:11.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--times", type=float, default=10, help="how much slower")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=10, help="of each measurement")
    parser.add_argument("--adds", type=int, default=20)
    parser.add_argument("--answer-ms", type=int, default=0, help="how long the model server takes")
    own = str(RequestRecallOptions().deadline_ms)
    parser.add_argument("--deadlines", default=own, help="milliseconds, separated by commas")
    parser.add_argument("--against", type=Path, help="another checkout")
    arguments = parser.parse_args()
    result = asyncio.run(run(arguments))
    show(result)
    print(f"\nwritten to {write_json('slow', result)}")


if __name__ == "__main__":
    main()
