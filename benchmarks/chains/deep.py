"""Deep recall without a model: how often all needed facts are found, and when it abstains.

    python benchmarks/chains/deep.py [--data FOLDER] [--fresh]

The facts of each row are stored as they are, for a user of their own ("own"), and together with
those of all rows of their language ("language"). Questions that need several facts are of
`chains.dev`, or with `--fresh` of `rows/`, which were written before the code was and are never
tuned on. Questions that nothing answers are those of other rows, and with `--fresh` also some that
speak of what is known and ask what is not. `search` is one search: what it is sure of.
Prints tables; nothing is written.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:1] = [str(ROOT)]

from recollect.memory import AsyncMemory  # noqa: E402 - the script runs without an installation
from recollect.memory.engine.options import MemoryOptions  # noqa: E402 - the same
from recollect.memory.recall import RecallOptions  # noqa: E402 - the same

ROWS = Path(__file__).parent / "rows"
Row = Mapping[str, Any]
Owner = Callable[[Row], str]
ALL = "all"
STORES: dict[str, Owner] = {
    "own": lambda row: row["id"],
    "language": lambda row: f"all {row['lang']}",
}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--fresh", action="store_true", help="only rows that nothing was tuned on")
    wanted = parser.parse_args()
    dev = wanted.data / "chains.dev.jsonl"
    if not wanted.fresh and not dev.is_file():
        print(f"evaluation data is missing: {dev} (use --data)", file=sys.stderr)
        return 2
    names = ("heldout", "heldout_alias", "unanswerable")
    sets = (
        {name: read(ROWS / f"{name}.jsonl") for name in names}
        if wanted.fresh
        else {"chains.dev": read(dev)}
    )
    asyncio.run(measure(sets))
    return 0


def read(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def crossed(rows: Sequence[Row]) -> list[Row]:
    """Each question, asked of the facts of another row of its language."""
    found = []
    for place, row in enumerate(rows):
        others = [one for one in rows if one["lang"] == row["lang"] and one is not row]
        if others:
            other = others[place % len(others)]
            found.append({**row, "id": f"{row['id']} of {other['id']}", "facts": other["facts"],
                          "needs": []})  # fmt: skip
    return found


async def measure(sets: Mapping[str, Sequence[Row]]) -> None:
    async with await AsyncMemory.open(MemoryOptions()) as memory:
        for name, rows in sets.items():
            for store, owner in STORES.items():
                if all(row["needs"] for row in rows) or store == "own":
                    await told(memory, name, store, rows, owner)
            if all(row["needs"] for row in rows):
                await told(memory, f"{name}, of others", "own", crossed(rows), STORES["own"])


async def told(
    memory: AsyncMemory, name: str, store: str, rows: Sequence[Row], owner: Owner
) -> None:
    """Print what is found for these rows."""
    for row in rows:
        texts = [{"role": "user", "content": fact["text"]} for fact in row["facts"]]
        await memory.add(texts, infer=False, user_id=f"{name} {owner(row)}")
    found: dict[str, list[tuple[bool, bool, bool, int, float]]] = defaultdict(list)
    for row in rows:
        one = await asked(memory, row, f"{name} {owner(row)}")
        for key in (ALL, row["lang"], row.get("join", ""), f"{len(row['needs'])} facts"):
            found[key].append(one)
    print(f"\n{name}, {store}: {len(rows)} questions")
    print(f"{'':14}{'n':>4}{'search':>8}{'deep':>6}{'abstains':>10}{'facts':>7}{'ms':>6}")
    for key, ones in found.items():
        if key:
            sums = [sum(values) for values in zip(*ones, strict=True)]
            n = len(ones)
            print(f"{key:14}{n:4}{sums[0]:8}{sums[1]:6}{sums[2]:10}{sums[3] / n:7.1f}"
                  f"{1000 * sums[4] / n:6.0f}")  # fmt: skip


async def asked(memory: AsyncMemory, row: Row, user: str) -> tuple[bool, bool, bool, int, float]:
    """Whether one search, and a deep one, has all; whether it abstains; facts; seconds."""
    texts = {fact["id"]: fact["text"] for fact in row["facts"]}
    needed = {texts[name] for name in row["needs"]}
    one = await memory.search(row["ask"], user_id=user, limit=10)
    least = RecallOptions().threshold
    sure = {each["memory"] for each in one["results"] if each["score"] >= least}
    begun = time.perf_counter()
    deep = await memory.deep_recall(row["ask"], user_id=user)
    spent = time.perf_counter() - begun
    results = {each["memory"] for each in deep["results"]}
    found = bool(needed) and needed <= results
    return bool(needed) and needed <= sure, found, deep["abstained"], len(results), spent


if __name__ == "__main__":
    sys.exit(main())
