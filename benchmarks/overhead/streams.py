"""Streams: CPU per event and gaps between events when paced, and the time to the first byte."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from load import cpu_seconds, fire, median, percentile, post, quiet

if TYPE_CHECKING:
    from contestants import Contestant

PARALLEL = 40
EVENTS = 120
INTERVAL_MS = 20
STEADY_AFTER = 50
"""Events of every stream after which CPU is counted: set-up is over, and so are all recalls, also
those that were given up."""
LEAST_EVENTS = PARALLEL * (EVENTS - STEADY_AFTER) // 2
"""Half of the events that are counted if no stream is late: on a busy machine the first stream may
end before the last one is steady, and the CPU of few events says nothing."""
TRIES = 5
FIRST_BYTE = "mock:paced:2:5"
_MARK = b"data:"
_END = b"\r\n0\r\n\r\n"


class Connection:
    """One keep-alive connection that reads streams."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, url: str) -> Connection:
        host, port = url.removeprefix("http://").split(":")
        return cls(*await asyncio.open_connection(host, int(port)))

    async def start(self, row: Contestant, body: bytes) -> float:
        """Send a request, wait for the first byte of the body; how long that took (seconds)."""
        started = time.perf_counter()
        self._writer.write(post(row.url, row.path, body, row.headers))
        head = await self._reader.readuntil(b"\r\n\r\n")
        if b" 200 " not in head.split(b"\r\n", 1)[0]:
            raise SystemExit(f"{row.name}: not a success: {head[:200]!r}")
        self._tail = await self._reader.readexactly(1)
        return time.perf_counter() - started

    async def read(self) -> tuple[int, bool]:
        """Events that came with the next read, and whether the stream is over."""
        data = await self._reader.read(2**16)
        if not data:
            raise SystemExit("a stream broke off")
        # A mark that two reads share is found in the second one, and none is found twice.
        events = (self._tail[1 - len(_MARK) :] + data).count(_MARK)
        self._tail = (self._tail + data)[-len(_END) :]
        return events, self._tail == _END

    def close(self) -> None:
        """At once."""
        self._writer.close()


@dataclass
class Paced:
    """What one round of paced streams showed."""

    pid: int
    gaps: list[float] = field(default_factory=list)
    steady: int = 0
    """Streams that are past their first events."""
    cpu: float = 0.0
    events: int = 0
    """Between the moment all are steady and the moment the first one ends."""
    _cpu_before: float = 0.0
    _counting: bool = False

    def settled(self) -> None:
        self.steady += 1
        if self.steady == PARALLEL:
            self._cpu_before = cpu_seconds(self.pid)
            self._counting = True

    def count(self, events: int) -> None:
        self.events += events if self._counting else 0

    def ended(self) -> None:
        if self._counting:
            self.cpu = cpu_seconds(self.pid) - self._cpu_before
            self._counting = False

    @property
    def microseconds_per_event(self) -> float:
        return self.cpu / self.events * 1e6 if self.events else float("nan")


async def paced(
    rows: Sequence[Contestant], *, rounds: int
) -> tuple[dict[str, list[float]], dict[str, float]]:
    """CPU per event (µs) round by round, and the 99th percentile of the gaps (ms)."""
    cpu: dict[str, list[float]] = {row.name: [] for row in rows}
    gaps: dict[str, list[float]] = {row.name: [] for row in rows}
    chooser = random.Random(5)
    for number in range(rounds):
        print(f"{PARALLEL} paced streams: round {number + 1} of {rounds}", flush=True)
        for row in chooser.sample(rows, len(rows)):
            seen = await _paced_round(row)
            cpu[row.name].append(seen.microseconds_per_event)
            gaps[row.name] += seen.gaps
    return cpu, {name: percentile(values, 0.99) * 1e3 for name, values in gaps.items()}


async def _paced_round(row: Contestant) -> Paced:
    """A round in which enough events were counted; the last one if none had as many."""
    for _ in range(TRIES):
        await quiet(row.pid)
        seen = await _one_round(row)
        if seen.events >= LEAST_EVENTS:
            break
    return seen


async def _one_round(row: Contestant) -> Paced:
    seen = Paced(row.pid)
    wish = f"mock:paced:{EVENTS}:{INTERVAL_MS}"
    bodies = row.bodies.many(PARALLEL, wish=wish, stream=True)
    await asyncio.gather(
        *(
            _follow(row, body, seen, n / PARALLEL * INTERVAL_MS / 1e3)
            for n, body in enumerate(bodies)
        )
    )
    return seen


async def _follow(row: Contestant, body: bytes, seen: Paced, delay: float) -> None:
    await asyncio.sleep(delay)  # spread over one interval, as strangers' streams would be
    connection = await Connection.open(row.url)
    await connection.start(row, body)
    last, total, over = time.perf_counter(), 0, False
    while not over:
        events, over = await connection.read()
        now = time.perf_counter()
        if events and total and not over:
            # Those that came together had no gap between them.
            seen.gaps += [now - last, *[0.0] * (events - 1)]
        if events:
            last = now
        before, total = total, total + events
        if before < STEADY_AFTER <= total:
            seen.settled()
        seen.count(events)
    seen.ended()
    connection.close()


async def alone(rows: Sequence[Contestant], *, calls: int) -> dict[str, dict[str, float]]:
    """One call at a time, contestants in turn (ms, medians and 95th percentiles).

    `first_byte` is of a stream's body, `json` is a whole answer that is no stream.
    """
    print(f"alone: {calls} streams and {calls} calls each, in turn", flush=True)
    connections = {row.name: await Connection.open(row.url) for row in rows}
    first: dict[str, list[float]] = {row.name: [] for row in rows}
    whole: dict[str, list[float]] = {row.name: [] for row in rows}
    for _ in range(calls):
        for row in rows:
            body = row.bodies.make(wish=FIRST_BYTE, stream=True)
            first[row.name].append(await connections[row.name].start(row, body))
            while not (await connections[row.name].read())[1]:
                pass
            one = [row.bodies.make()]
            whole[row.name] += await fire(
                row.url, row.path, one, connections=1, headers=row.headers
            )
    for connection in connections.values():
        connection.close()
    return {
        row.name: {
            "first_byte_p50": median(first[row.name]) * 1e3,
            "first_byte_p95": percentile(first[row.name], 0.95) * 1e3,
            "json_p50": median(whole[row.name]) * 1e3,
            "json_p95": percentile(whole[row.name], 0.95) * 1e3,
        }
        for row in rows
    }
