"""What the proxy costs, beside a bare relay, nginx, Portkey, LiteLLM and a bare mem0 call.

All of them in the same run, before the same mock.

Fetches the peers into benchmarks/.peers at the first run, prints a table, writes
benchmarks/results/overhead.json. Rounds are interleaved, so that noise of the machine hits every
contestant; CPU is the user and system time of all processes of a contestant. Latency is measured
in an open loop (k6) and is what is added to calls that go to the mock directly.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parent.parent))
sys.path.append(str(Path(__file__).resolve().parent.parent.parent))

import peers
from bodies import fill
from closed_loop import cpu_per_request
from contestants import CHAT, DIRECT, RECALL, SKIP, Contestant, Field
from cost import machine
from library import mem0_search
from load import fire, outcome, rss_mb, stop_on_signals, write_json
from open_loop import at_rate, rate_for
from report import rows_of, show
from streams import Connection, alone, paced


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a short run, to see that it works")
    parser.add_argument("--no-peers", action="store_true", help="only the relay and Recollect")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--requests", type=int, help="in a round of the closed loop")
    parser.add_argument("--seconds", type=int, help="of a round of the open loop")
    parser.add_argument("--rate", type=int, default=100, help="requests per second, open loop")
    parser.add_argument("--users", type=int, help="users with a hundred memories each")
    found = parser.parse_args()
    full = {"rounds": 5, "requests": 1500, "seconds": 10, "users": 100}
    quick = {"rounds": 2, "requests": 400, "seconds": 3, "users": 5}
    for name, value in (quick if found.quick else full).items():
        if getattr(found, name) is None:
            setattr(found, name, value)
    return found


def main() -> None:
    stop_on_signals()
    wanted = arguments()
    with ExitStack() as stack:
        k6 = None
        if not wanted.no_peers and peers.available("k6 (the open loop)", peers.k6):
            k6 = peers.k6()
        contestants = Field(stack, users=wanted.users, with_peers=not wanted.no_peers)
        started = time.monotonic()
        result = asyncio.run(measure(contestants, k6, wanted))
        if not wanted.no_peers:
            result |= library(stack, contestants.folder, wanted)
        result["seconds"] = time.monotonic() - started
    rows = rows_of(result)
    show(rows, result.get("mem0"))
    result["rows"] = rows
    print(f"written to {write_json('overhead', result)}")


def library(stack: ExitStack, folder: Path, wanted: argparse.Namespace) -> dict[str, Any]:
    """The bare mem0 call, if it can be had."""
    try:
        found = mem0_search(stack, folder, users=wanted.users, rounds=wanted.rounds)
    except peers.UnavailableError as error:
        print(f"mem0 is left out: {error}", flush=True)
        return {}
    return {"mem0": found}


async def measure(field: Field, k6: Path | None, wanted: argparse.Namespace) -> dict[str, Any]:
    """Everything, one kind of load after the other."""
    await fill(field.ours.url, wanted.users)
    rows = await healthy(field.rows)
    rounds = wanted.rounds
    result: dict[str, Any] = {"machine": machine(), "versions": field.versions, "cpu_ms": {}}
    result |= {"settings": vars(wanted), "rate": wanted.rate, "open_loop": {}}
    for size in ("1 KB", "64 KB"):
        result["cpu_ms"][size] = await cpu_per_request(
            rows, size=size, rounds=rounds, requests=wanted.requests
        )
    result["alone"] = await alone(rows, calls=wanted.requests // 8)
    result["event_us"], result["gap_p99_ms"] = await paced(rows, rounds=2 * rounds)
    for rate in sorted({rate_for(row, wanted.rate) for row in rows}, reverse=True) if k6 else ():
        at = [row for row in rows if rate_for(row, wanted.rate) == rate or row.name == DIRECT]
        result["open_loop"][str(rate)] = await at_rate(
            k6, at, rate=rate, seconds=wanted.seconds, rounds=min(rounds, 3)
        )
    result["rss_mb"] = {row.name: sum(rss_mb(row.pid).values()) for row in rows}
    return result


async def healthy(rows: list[Contestant]) -> list[Contestant]:
    """Those that answer a call and a stream; ours must, and must do what their rows say."""
    found = []
    for row in rows:
        try:
            await _try(row)
        except (SystemExit, OSError, asyncio.IncompleteReadError) as error:
            if row.path != CHAT or row.pid in {r.pid for r in rows if r.name == SKIP}:
                raise
            print(f"{row.name} is left out: {error}", flush=True)
        else:
            found.append(row)
    return found


async def _try(row: Contestant) -> None:
    await fire(row.url, row.path, row.bodies.many(5), connections=1, headers=row.headers)
    connection = await Connection.open(row.url)
    await connection.start(row, row.bodies.make(wish="mock:paced:3:5", stream=True))
    events = 0
    over = False
    while not over:
        seen, over = await connection.read()
        events += seen
    connection.close()
    if events < 3:
        raise SystemExit(f"{row.name}: a stream of {events} events instead of 3 and an end")
    expected = {SKIP: "skipped", RECALL: "injected"}.get(row.name)
    said = await outcome(row.url, row.path, row.bodies.make())
    if expected is not None and said != expected:
        raise SystemExit(f"{row.name}: the outcome was {said!r}, not {expected!r}")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("stopped")
