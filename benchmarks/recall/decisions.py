"""The gate and the rewrite on their development files, as `benchmarks/gate.py` measures them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gate

MOST_FALSE_SKIPS = 0.01
LEAST_SKIPPED = 0.85
MOST_CPU_MS = 0.3
"""Issue 4."""


async def measure(data: Path) -> dict[str, Any]:
    """What the files beside the data give; a file that is not there is said and left out."""
    folder = data if data.is_dir() else data.parent
    result: dict[str, Any] = {}
    if rows := _rows(folder / "gate.dev.jsonl"):
        result["gate"] = _gate(rows)
    if rows := _rows(folder / "rewrite.dev.jsonl"):
        result["rewrite"] = gate.bench_rewrite(rows)
    return result


def _rows(path: Path) -> gate.Rows:
    if path.is_file():
        return gate.load(path)
    print(f"\nno {path.name} beside the data: left out")
    return []


def _gate(rows: gate.Rows) -> dict[str, Any]:
    judged = [(row, gate.chat(row["messages"])) for row in rows]
    entry = gate.rates(rows, [gate.gate(messages) for _, messages in judged])
    print(f"\ngate: {len(rows)} rows")
    lost, skipped = (_share(*entry[key]) for key in ("false_skip", "skipped"))
    _say("false skips", gate.share(*entry["false_skip"]), lost <= MOST_FALSE_SKIPS)
    _say("skippable rows skipped", gate.share(*entry["skipped"]), skipped >= LEAST_SKIPPED)
    cpu = gate.bench_cpu(judged)
    _say("slowest message", f"{cpu['max'] / 1e3:.2f} ms", cpu["max"] / 1e3 <= MOST_CPU_MS)
    return {"rows": len(rows), "cpu_us": cpu, **entry}


def _share(count: int, total: int) -> float:
    return count / max(total, 1)


def _say(what: str, figure: str, reached: bool) -> None:
    print(f"{what:24}{figure:>18}: {'reached' if reached else 'missed'}")
