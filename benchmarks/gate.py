"""How well and how fast the gate and the rewrite decide.

    python benchmarks/gate.py [--data DIR]

Reads `gate.dev.jsonl` and `rewrite.dev.jsonl` (evaluation data, not part of the product), prints
tables and writes the same numbers to benchmarks/results/gate.json. Exits with 2 without the data.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from recollect.filters.gate.options import GateOptions  # noqa: E402
from recollect.filters.gate.reasons import decide  # noqa: E402 - the script runs without an installation
from recollect.filters.rewrite.options import RewriteOptions  # noqa: E402
from recollect.filters.rewrite.terms import rewrite, self_contained  # noqa: E402
from recollect.memory.language.requests import forget_texts  # noqa: E402 - the same
from recollect.memory.model.types import Message  # noqa: E402

Rows = list[dict[str, Any]]
REPEATS = 5
MEGABYTE = 1_000_000
PRONOUN = re.compile(r"\b(?:i|me|my|mine|i'm|i've|i'll)\b", re.IGNORECASE)
GREETING = re.compile(
    r"\W*(?:hi|hello|hey|thanks|thank you|bye|good \w+|ok|okay)\W*", re.IGNORECASE
)
GREETING_CHARS = 20


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    folder = parser.parse_args().data
    gate_file, rewrite_file = folder / "gate.dev.jsonl", folder / "rewrite.dev.jsonl"
    missing = [str(path) for path in (gate_file, rewrite_file) if not path.is_file()]
    if missing:
        print(f"evaluation data is missing: {', '.join(missing)} (use --data)", file=sys.stderr)
        return 2
    result = {"gate": bench_gate(load(gate_file)), "rewrite": bench_rewrite(load(rewrite_file))}
    target = ROOT / "benchmarks" / "results" / "gate.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
    print(f"\nwritten: {target.relative_to(ROOT)}")
    return 0


def load(path: Path) -> Rows:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line]


def chat(rows: Iterable[dict[str, str]]) -> list[Message]:
    return [Message(role=row["role"], content=row["content"]) for row in rows]


def gate(messages: Sequence[Message]) -> bool:
    return decide(messages, GateOptions()).recall


def greetings_only(messages: Sequence[Message]) -> bool:
    """The seed's rule without its external fact and tool classifiers: skip short greetings."""
    text = messages[-1].content
    return not (len(text) < GREETING_CHARS and GREETING.fullmatch(text))


def pronoun_or_skip(messages: Sequence[Message]) -> bool:
    """The seed's pronoun override alone: without an English first person, skip."""
    return greetings_only(messages) and bool(PRONOUN.search(messages[-1].content))


METHODS: dict[str, Callable[[Sequence[Message]], bool]] = {
    "gate": gate,
    "baseline: greetings": greetings_only,
    "baseline: pronouns": pronoun_or_skip,
}


def bench_gate(rows: Rows) -> dict[str, Any]:
    judged = [(row, chat(row["messages"])) for row in rows]
    result: dict[str, Any] = {"rows": len(rows)}
    print(f"gate: {len(rows)} rows\n{'method':22}{'false skip':>20}{'skipped':>20}")
    for name, method in METHODS.items():
        recalls = [method(messages) for _, messages in judged]
        result[name] = entry = rates(rows, recalls)
        print(f"{name:22}{share(*entry['false_skip']):>20}{share(*entry['skipped']):>20}")
    recalls = [gate(messages) for _, messages in judged]
    for key in ("lang", "reason"):
        result[key] = breakdown(rows, recalls, key)
    result["cpu_us"] = bench_cpu(judged)
    return result


def rates(rows: Rows, recalls: Sequence[bool]) -> dict[str, tuple[int, int]]:
    """Counts and totals: wanted memories lost; skippable rows skipped."""
    wanted = [recall for row, recall in zip(rows, recalls, strict=True) if row["search"]]
    idle = [recall for row, recall in zip(rows, recalls, strict=True) if not row["search"]]
    return {
        "false_skip": (wanted.count(False), len(wanted)),
        "skipped": (idle.count(False), len(idle)),
    }


def breakdown(rows: Rows, recalls: Sequence[bool], key: str) -> dict[str, Any]:
    print(f"\n{key:22}{'false skip':>20}{'skipped':>20}")
    result = {}
    for value in sorted({row[key] for row in rows}):
        chosen = [i for i, row in enumerate(rows) if row[key] == value]
        entry = rates([rows[i] for i in chosen], [recalls[i] for i in chosen])
        result[value] = entry
        print(f"{value:22}{share(*entry['false_skip']):>20}{share(*entry['skipped']):>20}")
    return result


def share(count: int, total: int) -> str:
    return f"{count}/{total} ({count / total:.1%})" if total else "-"


def bench_cpu(judged: Sequence[tuple[dict[str, Any], list[Message]]]) -> dict[str, float]:
    times = sorted(cpu_us(messages) for _, messages in judged)
    paste = "The lift will be out of service until the parts have come from the factory. "
    long = [Message(role="user", content=paste * (MEGABYTE // len(paste)))]
    result = {
        "p50": statistics.median(times),
        "p95": times[int(len(times) * 0.95)],
        "max": times[-1],
        "megabyte": cpu_us(long),
    }
    print("\nCPU per message (µs): " + ", ".join(f"{k} {v:.0f}" for k, v in result.items()))
    return {name: round(value, 1) for name, value in result.items()}


def cpu_us(messages: Sequence[Message]) -> float:
    """Best of some runs, as anything else is the machine's noise."""
    best = float("inf")
    for _ in range(REPEATS):
        forget_texts()  # a message is new when it comes
        start = time.process_time_ns()
        gate(messages)
        best = min(best, time.process_time_ns() - start)
    return best / 1000


def bench_rewrite(rows: Rows) -> dict[str, Any]:
    right = sum(self_contained(row["query"]) == row["self_contained"] for row in rows)
    print(f"\nrewrite: {len(rows)} rows, self-contained told right {share(right, len(rows))}")
    print(f"{'strategy':34}{'all must_contain':>20}{'of those that need it':>24}")
    result: dict[str, Any] = {"rows": len(rows), "self_contained_right": right}
    for name, options in {
        "none": RewriteOptions(strategy="none"),
        "terms (default)": RewriteOptions(),
    }.items():
        hits = [holds_all(row, options) for row in rows]
        needy = [hit for row, hit in zip(rows, hits, strict=True) if not row["self_contained"]]
        result[name] = {
            "all": (sum(hits), len(hits)),
            "not_self_contained": (sum(needy), len(needy)),
        }
        print(f"{name:34}{share(sum(hits), len(hits)):>20}{share(sum(needy), len(needy)):>24}")
    return result


def holds_all(row: dict[str, Any], options: RewriteOptions) -> bool:
    messages = [*chat(row["history"]), Message(role="user", content=row["query"])]
    query = rewrite(messages, options).lower()
    return all(needed.lower() in query for needed in row["must_contain"])


if __name__ == "__main__":
    sys.exit(main())
