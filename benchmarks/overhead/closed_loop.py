"""Closed loop: what a request costs its server in CPU, rounds interleaved between contestants."""

from __future__ import annotations

import random
from collections.abc import Sequence

from contestants import Contestant
from load import cpu_seconds, fire, median, quiet

CONNECTIONS = 4


async def cpu_per_request(
    rows: Sequence[Contestant], *, size: str, rounds: int, requests: int
) -> dict[str, list[float]]:
    """Milliseconds of user and system time per request, round by round."""
    seen: dict[str, list[float]] = {row.name: [] for row in rows}
    chooser = random.Random(5)
    for number in range(-1, rounds):  # the first round warms up
        print(f"closed loop, {size}: round {number + 1} of {rounds}", flush=True)
        for row in chooser.sample(rows, len(rows)):
            spent = await _round(row, size, max(requests // row.slowness, 20))
            if number >= 0:
                seen[row.name].append(spent * 1e3)
    return seen


async def _round(row: Contestant, size: str, requests: int) -> float:
    bodies = row.bodies.many(requests, size=size)
    await quiet(row.pid)
    before = cpu_seconds(row.pid)
    await fire(row.url, row.path, bodies, connections=CONNECTIONS, headers=row.headers)
    await quiet(row.pid)
    return (cpu_seconds(row.pid) - before) / requests


def paired_ratio(ours: Sequence[float], base: Sequence[float]) -> float:
    """The median of the rounds' ratios: both halves of each had the same neighbours."""
    return median([a / b for a, b in zip(ours, base, strict=True) if b > 0] or [float("nan")])
