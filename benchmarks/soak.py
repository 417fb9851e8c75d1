"""Does anything grow? 2,000 idle streams at once, then minutes of random clients.

Ends with 1 if a call went wrong, if the product logged an error, if tasks, sockets or file
descriptors did not return to where they were after warm-up, or if resident memory grew by more than
`--rss-mb` over the second half. Writes benchmarks/results/soak.json.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parent / "overhead"))

import psutil
from bodies import Bodies, fill
from load import Script, post, stop_on_signals, write_json
from soak_load import CHAT, Clients, answer_body, answer_head

REST_SECONDS = 35
"""Idle connections to the upstream are kept for 15 s (proxy/transport/upstream.py), and aiohttp
looks for them every 15 s."""
SLACK = 3
"""Tasks, sockets and descriptors that may come and go; a leak is hundreds."""
OPENING = 50
"""Streams that are opened at a time."""
COUNTED = ("tasks", "sockets", "fds")


@dataclass(frozen=True)
class Sample:
    """The product at one moment. The store is a process of its own."""

    seconds: float
    tasks: int
    errors: int
    """Logged since the start, which nobody expected."""
    sockets: int
    fds: int
    threads: int
    rss_mb: float
    store_rss_mb: float
    store_fds: int


class Product:
    """The product in front of the mock, to be looked at."""

    def __init__(self, stack: ExitStack) -> None:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="recollect-soak-"))
        mock = Script("mock_upstream.py")
        stack.callback(mock.stop)
        self._script = Script("soak_product.py", f"{mock.url}/v1", folder)
        stack.callback(self._stop)
        self.url = self._script.url
        self._process = psutil.Process(self._script.process.pid)
        self._started = time.monotonic()

    def _stop(self) -> None:
        """Its input ends, so it stops by itself."""
        try:
            self._script.process.communicate(timeout=30)
        finally:
            self._script.stop()

    def _ask(self) -> dict[str, int]:
        pipes = self._script.process
        assert pipes.stdin is not None
        assert pipes.stdout is not None
        pipes.stdin.write("\n")
        pipes.stdin.flush()
        return json.loads(pipes.stdout.readline())

    async def sample(self) -> Sample:
        """Now."""
        told = await asyncio.to_thread(self._ask)
        store = self._process.children(recursive=True)
        return Sample(
            seconds=round(time.monotonic() - self._started, 1),
            **told,
            sockets=len(self._process.net_connections(kind="all")),
            fds=self._process.num_fds(),
            threads=self._process.num_threads(),
            rss_mb=round(self._process.memory_info().rss / 2**20, 1),
            store_rss_mb=round(sum(p.memory_info().rss for p in store) / 2**20, 1),
            store_fds=sum(p.num_fds() for p in store),
        )

    async def at_rest(self) -> Sample:
        """After a rest, the least of three looks."""
        print(f"resting {REST_SECONDS} s", flush=True)
        await asyncio.sleep(REST_SECONDS)
        looks = []
        for _ in range(3):
            looks.append(await self.sample())
            await asyncio.sleep(1)
        least = min(looks, key=lambda look: (look.tasks, look.sockets, look.fds))
        show(least)
        return least


async def idle_streams(product: Product, count: int, seconds: int) -> dict[str, Any]:
    """Many streams that say one word, then nothing for a long time, then end."""
    bodies = Bodies(personal=False)
    wish = f"mock:paced:2:{seconds * 1000}"
    gate = asyncio.Semaphore(OPENING)
    print(f"opening {count} streams", flush=True)
    before = await product.sample()
    started = time.monotonic()
    openings = [_open(product.url, bodies.make(wish=wish, stream=True), gate) for _ in range(count)]
    opened = await asyncio.gather(*openings, return_exceptions=True)
    streams = [stream for stream in opened if not isinstance(stream, BaseException)]
    print(f"{len(streams)} are open after {time.monotonic() - started:.1f} s", flush=True)
    during = await product.sample()
    show(during)
    answers = await asyncio.gather(*(_end(stream) for stream in streams), return_exceptions=True)
    after = await product.at_rest()
    well = sum(isinstance(answer, bytes) and b"[DONE]" in answer for answer in answers)
    lost = [] if well == count else [f"{count - well} idle streams did not end well"]
    per_stream = (during.rss_mb - before.rss_mb) * 1024 / count
    print(f"{well} of {count} ended well; {per_stream:.1f} KB of resident memory per stream")
    return {
        "streams": count,
        "ended_well": well,
        "kb_per_stream": per_stream,
        "before": asdict(before),
        "during": asdict(during),
        "after": asdict(after),
        "failures": lost + judge(before, after),
    }


Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter, bytes]


async def _open(url: str, body: bytes, gate: asyncio.Semaphore) -> Stream:
    """A stream whose answer has begun."""
    host, port = url.removeprefix("http://").split(":")
    async with gate:
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(post(url, CHAT, body))
        return reader, writer, await answer_head(reader)


async def _end(stream: Stream) -> bytes:
    reader, writer, head = stream
    answer = await answer_body(reader, head)
    writer.close()
    return answer


async def soak(product: Product, seconds: float, workers: int, bound_mb: float) -> dict[str, Any]:
    """Random clients; what grew, and what went wrong."""
    users = 5
    await fill(product.url, users)
    clients = Clients(product.url, users)
    warm = max(20.0, min(120.0, seconds / 5))
    print(f"warming up {warm:.0f} s", flush=True)
    await clients.run(workers, warm)
    before = await product.at_rest()
    print(f"soaking {seconds:.0f} s with {workers} clients", flush=True)
    samples: list[Sample] = []
    running = asyncio.ensure_future(clients.run(workers, seconds))
    while not (await asyncio.wait([running], timeout=5))[0]:
        samples.append(await product.sample())
        show(samples[-1])
    await running
    after = await product.at_rest()
    grown = growth(samples[len(samples) // 2 :])
    failures = [f"a call went wrong: {text}" for text in clients.wrong] + judge(before, after)
    if grown > bound_mb:
        failures.append(f"resident memory grew by {grown:.1f} MB over the second half")
    print(f"calls: {dict(sorted(clients.done.items()))}")
    print(f"resident memory in the second half: {grown:+.1f} MB (bound: {bound_mb:g} MB)")
    return {
        "calls": dict(clients.done),
        "wrong": clients.wrong,
        "before": asdict(before),
        "after": asdict(after),
        "rss_growth_mb": grown,
        "samples": [asdict(sample) for sample in samples],
        "failures": failures,
    }


def growth(samples: Sequence[Sample]) -> float:
    """By how many MB the line of least squares rises from the first sample to the last."""
    if len(samples) < 2:
        return 0.0
    times, sizes = [s.seconds for s in samples], [s.rss_mb + s.store_rss_mb for s in samples]
    middle, mean = sum(times) / len(times), sum(sizes) / len(sizes)
    spread = sum((t - middle) ** 2 for t in times)
    slope = sum((t - middle) * (m - mean) for t, m in zip(times, sizes, strict=True)) / spread
    return slope * (times[-1] - times[0])


def judge(before: Sample, after: Sample) -> list[str]:
    """What did not return to where it was, and what the product itself calls an error."""
    pairs = {name: (getattr(before, name), getattr(after, name)) for name in COUNTED}
    failures = [
        f"{name} grew from {was} to {now}"
        for name, (was, now) in pairs.items()
        if now > was + SLACK
    ]
    return failures + ([f"{after.errors} errors were logged"] if after.errors else [])


def show(sample: Sample) -> None:
    """One line."""
    print("  ".join(f"{key} {value}" for key, value in asdict(sample).items()), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--clients", type=int, default=12)
    parser.add_argument("--streams", type=int, default=2000, help="idle at once; 0 leaves it out")
    parser.add_argument("--hold", type=int, default=30, help="seconds the idle streams are silent")
    parser.add_argument("--rss-mb", type=float, default=24, help="bound of growth, second half")
    wanted = parser.parse_args()
    stop_on_signals()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    result: dict[str, Any] = {"settings": vars(wanted)}
    if wanted.streams:
        with ExitStack() as stack:
            product = Product(stack)
            result["idle"] = asyncio.run(idle_streams(product, wanted.streams, wanted.hold))
    if wanted.minutes:
        with ExitStack() as stack:
            product = Product(stack)
            result["soak"] = asyncio.run(
                soak(product, wanted.minutes * 60, wanted.clients, wanted.rss_mb)
            )
    print(f"written to {write_json('soak', result)}")
    failures = [
        text for part in ("idle", "soak") for text in result.get(part, {}).get("failures", ())
    ]
    print("\n".join(f"FAILED: {text}" for text in failures) or "nothing grew, nothing went wrong")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("stopped")
