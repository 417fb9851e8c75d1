"""What becomes of two facts, one after the other, without a model.

    python benchmarks/faithful/pairs.py [--data FOLDER]

A row has two facts as an extractor stores them. Of `both`, both stay true: losing or superseding
one is the worst error. Otherwise the second replaces the first, and must be active. Beside that the
table says how many pairs are linked as one matter: of those that a model would be asked.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:1] = [str(ROOT), str(ROOT / "benchmarks"), str(ROOT / "benchmarks" / "recall")]

from load import RESULTS, write_json  # noqa: E402 - the script runs without an installation
from product import disk_embedder  # noqa: E402 - the same

from recollect.memory.calibration import calibration_for  # noqa: E402 - the same
from recollect.memory.learn.options import LearnOptions  # noqa: E402 - the same
from recollect.memory.learn.reconciler import Reconciler  # noqa: E402 - the same
from recollect.memory.learn.records import Batch, rows_of  # noqa: E402 - the same
from recollect.memory.model.ports import Embedder  # noqa: E402 - the same
from recollect.memory.model.types import Candidate, MemoryStatus, Scope, StoredMemory, utc_now  # noqa: E402 - the same
from tests.support.memories import InMemoryMemories  # noqa: E402 - the same

NAME = "pairs"
SCOPE = Scope(tenant="local", user_id="ann")
Row = Mapping[str, Any]


async def measure(rows: Sequence[Row], embedder: Embedder) -> dict[str, Any]:
    """The figures of the rows, in all and by language."""
    outcomes = [(row, await _outcome(row, embedder)) for row in rows]
    languages = defaultdict(list)
    for row, outcome in outcomes:
        languages[row["lang"]].append((row, outcome))
    return {
        "all": _figures(outcomes),
        "by_lang": {name: _figures(some) for name, some in sorted(languages.items())},
        "lost": [row["id"] for row, outcome in outcomes if row["both"] and outcome["lost"]],
        "without_the_newer": [
            row["id"] for row, outcome in outcomes if not row["both"] and not outcome["newer"]
        ],
    }


def _figures(outcomes: Sequence[tuple[Row, Mapping[str, bool]]]) -> dict[str, int]:
    both = [outcome for row, outcome in outcomes if row["both"]]
    second = [outcome for row, outcome in outcomes if not row["both"]]
    return {
        "both": len(both),
        "lost": sum(one["lost"] for one in both),
        "both_linked": sum(one["linked"] for one in both),
        "second": len(second),
        "newer_active": sum(one["newer"] for one in second),
        "older_superseded": sum(one["lost"] for one in second),
        "second_linked": sum(one["linked"] for one in second),
    }


async def _outcome(row: Row, embedder: Embedder) -> dict[str, bool]:
    store = InMemoryMemories(dim=embedder.dim)
    reconciler = Reconciler(
        store, embedder, calibration_for(embedder.id, dim=embedder.dim), LearnOptions()
    )
    linked = False
    for number, text in enumerate((row["first"], row["second"])):
        batch = Batch(id=f"b{number}", scope=SCOPE, at=utc_now() + timedelta(days=number))
        turn = f"t{number}"
        batch = replace(batch, moments={turn: batch.at})
        candidate = Candidate(text=text, turn_ids=(turn,))
        decided = await reconciler.decide(SCOPE, [candidate], batch=batch.id, moments=batch.moments)
        decisions = decided.decisions
        linked = any(one.pending for one in decisions)
        known = {item.id: item for item in await store.list(SCOPE, limit=None)}
        written = rows_of(decisions, known, batch, now=batch.at, embedder_id=embedder.id)
        for item in (*written.versions.values(), *written.live.values()):
            [vector] = await embedder.embed([item.text])
            await store.put([StoredMemory(item, vector)])
    active = {item.text for item in await store.list(SCOPE, limit=None)}
    ended = await store.list(SCOPE, limit=None, statuses=frozenset({MemoryStatus.SUPERSEDED}))
    kept = {row["first"], row["second"]} <= active and not ended
    return {"lost": not kept, "newer": row["second"] in active, "linked": linked}


def show(name: str, result: Mapping[str, Any]) -> None:
    """One table."""
    print(f"\n{name}")
    print(
        f"{'':6}{'both':>6}{'lost':>6}{'linked':>8}{'second':>8}{'newer':>7}{'ended':>7}{'linked':>8}"
    )
    for lang, one in [("all", result["all"]), *result["by_lang"].items()]:
        print(
            f"{lang:6}{one['both']:6}{one['lost']:6}{one['both_linked']:8}{one['second']:8}"
            f"{one['newer_active']:7}{one['older_superseded']:7}{one['second_linked']:8}"
        )
    print(f"lost: {result['lost']}; without the newer: {result['without_the_newer']}")


def files(data: Path, name: str) -> dict[str, Path]:
    """The development rows and our own, by name."""
    own = sorted((ROOT / "benchmarks" / "unseen" / "rows").glob(f"{name}*.jsonl"))
    return {f"{name}.dev": data / f"{name}.dev.jsonl"} | {path.stem: path for path in own}


def read(path: Path) -> list[Row]:
    """The rows of a file."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


async def main(data: Path) -> int:
    embedder = await disk_embedder(RESULTS)
    results = {}
    try:
        for name, path in files(data, NAME).items():
            if not path.is_file():
                print(f"evaluation data is missing: {path} (use --data)", file=sys.stderr)
                return 2
            results[name] = await measure(read(path), embedder)
            show(name, results[name])
    finally:
        await embedder.close()
    print(f"\nwritten to {write_json('faithful-pairs', results)}")
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    sys.exit(asyncio.run(main(parser.parse_args().data)))
