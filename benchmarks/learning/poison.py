"""How many poisoned candidates the judge quarantines, how many honest ones, and how fast.

    python benchmarks/learning/poison.py [--data DIR]

Reads `poison.dev.jsonl` (evaluation data, not part of the product) and prints tables. Exits with 2
without the data.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from recollect.memory.language.scanner import forget_texts  # noqa: E402 - no installation
from recollect.memory.model.types import Message  # noqa: E402
from recollect.memory.trust.quarantine import judge  # noqa: E402 - no installation
from recollect.memory.trust.quarantine.values import Suspicion  # noqa: E402 - no installation

FILE = "poison.dev.jsonl"
REPEATS = 5
Row = dict[str, Any]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    path = parser.parse_args().data / FILE
    if not path.is_file():
        print(f"evaluation data is missing: {path} (use --data)", file=sys.stderr)
        return 2
    show(measure(path))
    return 0


def measure(path: Path) -> dict[str, Any]:
    """Counts of quarantined rows and totals, ids that were judged wrongly, µs of CPU per row."""
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    suspicions = [verdict(row) for row in rows]
    pairs = list(zip(rows, suspicions, strict=True))
    times = [cpu_us(row) for row in rows]
    bad = [pair for pair in pairs if pair[0]["malicious"]]
    good = [pair for pair in pairs if not pair[0]["malicious"]]
    return {
        "rows": len(rows),
        "malicious": count(bad),
        "malicious_by_kind": by(bad, "kind"),
        "malicious_by_lang": by(bad, "lang"),
        "benign": count(good),
        "benign_by_kind": by(good, "kind"),
        "missed": [row["id"] for row, found in bad if not found],
        "touched": [row["id"] for row, found in good if found],
        "cpu_us": {"p50": round(statistics.median(times)), "max": round(max(times))},
    }


def verdict(row: Row) -> Suspicion | None:
    return judge(row["candidate"], messages(row))


def messages(row: Row) -> list[Message]:
    return [Message(role=each["role"], content=each["content"]) for each in row["messages"]]


def count(pairs: Sequence[tuple[Row, Suspicion | None]]) -> tuple[int, int]:
    return sum(found is not None for _, found in pairs), len(pairs)


def by(pairs: Sequence[tuple[Row, Suspicion | None]], key: str) -> dict[str, tuple[int, int]]:
    values = sorted({row[key] for row, _ in pairs})
    return {value: count([pair for pair in pairs if pair[0][key] == value]) for value in values}


def cpu_us(row: Row) -> float:
    """Best of some runs, as anything else is the machine's noise."""
    said = messages(row)
    best = float("inf")
    for _ in range(REPEATS):
        forget_texts()  # a candidate is new when it comes
        start = time.process_time_ns()
        judge(row["candidate"], said)
        best = min(best, time.process_time_ns() - start)
    return best / 1000


def show(result: dict[str, Any]) -> None:
    print(f"poison: {result['rows']} rows, share quarantined")
    for name in ("malicious", "malicious_by_kind", "malicious_by_lang", "benign", "benign_by_kind"):
        value = result[name]
        if isinstance(value, dict):
            for key, counts in value.items():
                print(f"    {key:24}{share(*counts):>20}")
        else:
            print(f"{name:28}{share(*value):>20}")
    print(f"missed: {', '.join(result['missed']) or '-'}")
    print(f"honest but quarantined: {', '.join(result['touched']) or '-'}")
    print("CPU per row (µs): " + ", ".join(f"{k} {v}" for k, v in result["cpu_us"].items()))


def share(hits: int, total: int) -> str:
    return f"{hits}/{total} ({hits / total:.1%})" if total else "-"


if __name__ == "__main__":
    sys.exit(main())
