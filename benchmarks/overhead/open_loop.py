"""Open loop with k6: latency at a fixed rate of arrivals."""

from __future__ import annotations

import json
import random
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from contestants import Contestant
from load import fire, median, quiet

SCRIPT = Path(__file__).with_name("open_loop.js")
SLOW = 20
"""A contestant this slow is measured at a fifth of the rate: it could not follow the whole one."""
_SUMS = ("calls", "failed", "dropped", "injected", "busy", "circuit_open", "deadline")


def rate_for(row: Contestant, rate: int) -> int:
    """Requests per second that a contestant gets."""
    return max(rate // 5, 1) if row.slowness >= SLOW else rate


async def at_rate(
    k6: Path, rows: Sequence[Contestant], *, rate: int, seconds: int, rounds: int
) -> dict[str, dict[str, float]]:
    """Percentiles (ms; the median of the rounds) and the sums of calls, by contestant."""
    seen: dict[str, list[dict[str, float]]] = {row.name: [] for row in rows}
    chooser = random.Random(5)
    for number in range(rounds):
        print(f"open loop, {rate}/s for {seconds} s: round {number + 1} of {rounds}", flush=True)
        for row in chooser.sample(rows, len(rows)):
            warm = row.bodies.many(20)
            await fire(row.url, row.path, warm, connections=4, headers=row.headers)
            await quiet(row.pid)
            seen[row.name].append(_run(k6, row, rate, seconds))
    return {name: _merged(values) for name, values in seen.items()}


def _run(k6: Path, row: Contestant, rate: int, seconds: int) -> dict[str, float]:
    bodies = [body.decode() for body in row.bodies.many(rate * seconds)]
    lines = [line.split(": ", 1) for line in row.headers.splitlines()]
    headers = {
        "Content-Type": "application/json",
        "Authorization": "Bearer sk-mock",
        **dict(lines),
    }
    with tempfile.TemporaryDirectory(prefix="recollect-k6-") as name:
        folder = Path(name)
        (folder / "bodies.json").write_text(json.dumps(bodies))
        wanted = {
            "URL": row.url + row.path,
            "BODIES": str(folder / "bodies.json"),
            "SUMMARY": str(folder / "summary.json"),
            "HEADERS": json.dumps(headers),
            "RATE": rate,
            "SECONDS": seconds,
        }
        given = [word for key, value in wanted.items() for word in ("-e", f"{key}={value}")]
        command = [str(k6), "run", "--quiet", "--no-usage-report", "--no-color", *given]
        done = subprocess.run(
            [*command, str(SCRIPT)], check=False, capture_output=True, text=True, cwd=folder
        )
        summary = folder / "summary.json"
        if not summary.exists():
            raise SystemExit(f"k6 failed: {done.stderr[-500:]}")
        return json.loads(summary.read_text())


def _merged(rounds: Sequence[dict[str, float]]) -> dict[str, float]:
    return {
        key: sum(r[key] for r in rounds) if key in _SUMS else median([r[key] for r in rounds])
        for key in rounds[0]
    }
