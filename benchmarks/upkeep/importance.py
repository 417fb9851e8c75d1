"""How well importance is told without a model, and what feedback moves.

    python benchmarks/upkeep/importance.py [FILE ...] [--show]

Agreement: each row is stored as it is (`infer: false`), and the importance it is given is compared
with its label. Rows have `id`, `lang`, `level` (`high`, `middle`, `low`) and `text`; those in
`rows/` were written and labelled after the code was frozen, before it was run on them.

- rho: Spearman's rank correlation with the labels, ties with their mean rank;
- order: share of the pairs of different labels that are in the order of the labels, ties half;
- level: share that is nearest to its own level.

Feedback: a memory and its twin, which are alike but for what people say of the second.

Prints tables, writes benchmarks/results/upkeep-importance.json. Exits with 2 without the weights.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:1] = [str(ROOT), str(ROOT / "benchmarks")]

from load import write_json  # noqa: E402 - the script runs without an installation

from recollect.memory import AsyncMemory  # noqa: E402 - the same
from recollect.memory.engine.engine import Engine  # noqa: E402 - the same
from recollect.memory.engine.options import EngineOptions  # noqa: E402 - the same
from recollect.memory.model.errors import EmbeddingError  # noqa: E402 - the same
from recollect.memory.recall.importance import HIGH, LOW, MIDDLE  # noqa: E402 - the same

ROWS = Path(__file__).parent / "rows" / "importance.jsonl"
LEVELS = {"low": LOW, "middle": MIDDLE, "high": HIGH}
TENANT = "bench"
QUESTION = "Who likes green tea?"
Row = Mapping[str, Any]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", type=Path, nargs="*", default=[ROWS])
    parser.add_argument("--show", action="store_true", help="each row with its importance")
    wanted = parser.parse_args()
    rows = [row for path in wanted.files for row in read(path)]
    try:
        result = asyncio.run(measure(rows, show=wanted.show))
    except EmbeddingError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"written to {write_json('upkeep-importance', result)}")
    return 0


def read(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


async def measure(rows: Sequence[Row], *, show: bool) -> dict[str, Any]:
    """All figures; prints them."""
    async with Engine.open(EngineOptions.model_validate(_IN_MEMORY)) as engine:
        memory = AsyncMemory(engine, tenant=TENANT)
        told = await given(memory, rows)
        if show:
            for row, value in sorted(zip(rows, told, strict=True), key=lambda pair: pair[1]):
                print(f"{value:.2f} {row['level']:6s} {row['lang']} {row['text']}")
        return {"agreement": agreement(rows, told), "feedback": await feedback(memory)}


_IN_MEMORY = {part: {"backend": "inmemory"} for part in ("state", "history")}


async def given(memory: AsyncMemory, rows: Sequence[Row]) -> list[float]:
    """The importance of each row's text, stored as it is."""
    found = []
    for row in rows:
        added = await memory.add(row["text"], user_id=row["id"], infer=False)
        kept = await memory.get(added["results"][0]["id"])
        assert kept is not None
        found.append(kept["importance"])
    return found


def agreement(rows: Sequence[Row], told: Sequence[float]) -> dict[str, Any]:
    """By language and of all."""
    languages = sorted({row["lang"] for row in rows})
    print(f"{'':10s}{'rows':>6s}{'rho':>8s}{'order':>8s}{'level':>8s}   mean of high, middle, low")
    found = {}
    for name in (*languages, "all"):
        chosen = [
            (LEVELS[row["level"]], value)
            for row, value in zip(rows, told, strict=True)
            if name in (row["lang"], "all")
        ]
        found[name] = one = _figures(chosen)
        means = "  ".join(f"{one[level]:.2f}" for level in ("high", "middle", "low"))
        print(
            f"{name:10s}{one['rows']:6d}{one['rho']:8.3f}{one['order']:8.3f}{one['level']:8.3f}   "
            f"{means}"
        )
    return found


def _figures(pairs: Sequence[tuple[float, float]]) -> dict[str, Any]:
    labels, values = np.array(pairs).T
    levels = np.array(sorted(LEVELS.values()))
    nearest = levels[np.abs(values[:, None] - levels).argmin(axis=1)]
    means = {name: float(values[labels == own].mean()) for name, own in LEVELS.items()}
    return {
        "rows": len(pairs),
        "rho": float(np.corrcoef(_ranks(labels), _ranks(values))[0, 1]),
        "order": _in_order(pairs),
        "level": float((nearest == labels).mean()),
        **means,
    }


def _ranks(values: np.ndarray) -> np.ndarray:
    """From 1 for the smallest; equal values share the mean of their ranks."""
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[which]


def _in_order(pairs: Iterable[tuple[float, float]]) -> float:
    right = [
        0.5 if one[1] == other[1] else float((one[0] < other[0]) == (one[1] < other[1]))
        for one, other in combinations(pairs, 2)
        if one[0] != other[0]
    ]
    return sum(right) / len(right)


async def feedback(memory: AsyncMemory) -> dict[str, Any]:
    """What so many votes against one of two twins do, and as many for it afterwards."""
    await _twin(memory)
    chosen = await _twin(memory)  # of two alike the later one is ranked first
    print(f"\n{'votes':22s}{'standing':>10s}{'place':>7s}{'score':>9s}{'salience':>10s}  recalled")
    found = {}
    for name, word, votes in (
        ("none", "negative", 0),
        ("1 against", "negative", 1),
        ("10 against", "negative", 9),
        ("10 against, 10 for", "positive", 10),
        ("10 against, 20 for", "positive", 10),
    ):
        for _ in range(votes):
            await memory.feedback(chosen, word, user_id="twins")
        found[name] = one = await _seen(memory, chosen)
        print(
            f"{name:22s}{one['standing']:10.3f}{one['place']:7d}{one['score']:9.4f}"
            f"{one['salience']:10.4f}  {one['recalled']}"
        )
    return found


async def _twin(memory: AsyncMemory) -> str:
    added = await memory.add("I like green tea", user_id="twins", infer=False, dedupe=False)
    return added["results"][0]["id"]


async def _seen(memory: AsyncMemory, memory_id: str) -> dict[str, Any]:
    told = (await memory.explain(QUESTION, user_id="twins"))["memories"]
    [row] = [each for each in told if each["id"] == memory_id]
    return {
        "standing": row.get("usage", {}).get("standing", 0.0),
        "place": row["rank"],
        "score": row["score"],
        "salience": row["salience"],
        # A twin with the same words is not shown twice: either of them is.
        "recalled": row["chosen"] or row["reason"] == "duplicate",
    }


if __name__ == "__main__":
    raise SystemExit(main())
