"""What the user feels of every judgement, on text that nobody tuned it to.

    python benchmarks/unseen/run.py [--data FOLDER] [--no-recall]

- other people's data (`gate-external`, `innocent`, the two stores), from ../shared/data;
- rows of our own (`rows/`), written in fifteen languages by writers who had not seen any term of
  the product: planted and honest facts, secrets told in prose and decoys, changes of facts.

Prints a table, writes benchmarks/results/unseen.json, and compares with the file of the run before.
The rows decide nothing about the product: a change that is tuned on them makes them worthless.
Exits with 2 without the data.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
# Not this folder, nor that of learning, whose secrets.py would be found in the place of Python's.
sys.path[:1] = [str(ROOT), str(ROOT / "benchmarks"), str(ROOT / "benchmarks" / "recall")]

from learning import conflict  # noqa: E402 - the script runs without an installation
from load import RESULTS, write_json  # noqa: E402 - the same
from product import disk_embedder  # noqa: E402 - the same
from unseen import figures, sets, stores  # noqa: E402 - the same

from recollect.memory.ports import Embedder  # noqa: E402 - the same

NAME = "unseen"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument(
        "--no-recall", action="store_true", help="leave out the recall, the slow part"
    )
    wanted = parser.parse_args()
    absent = sets.absent(wanted.data)
    if absent:
        print(f"evaluation data is missing: {', '.join(absent)} (use --data)", file=sys.stderr)
        return 2
    before = RESULTS / f"{NAME}.json"
    earlier = json.loads(before.read_text()) if before.is_file() else {}
    result = asyncio.run(measure(wanted.data, with_recall=not wanted.no_recall))
    show(result, earlier)
    print(f"\nwritten to {write_json(NAME, result)}")
    return 0


async def measure(data: Path, *, with_recall: bool) -> dict[str, Any]:
    """All figures, by set."""
    result: dict[str, Any] = {
        "gate-external": figures.gate(sets.rows(data, "gate-external")),
        "innocent": figures.innocent(sets.rows(data, "innocent")),
        "own planted": figures.planted(sets.read(sets.OWN / "planted.jsonl")),
        "own secrets": figures.secrets(sets.read(sets.OWN / "secrets.jsonl")),
    }
    embedder = await disk_embedder(RESULTS)
    try:
        result["own conflict"] = await _conflict(embedder)
        for name in sets.STORES:
            rows = sets.rows(data, name)
            result[name] = figures.gate_questions(rows)
            if with_recall:
                result[name] |= await stores.measure(rows, embedder)
    finally:
        await embedder.close()
    return result


async def _conflict(embedder: Embedder) -> dict[str, Any]:
    found = await conflict.measure(sets.OWN / "conflict.jsonl", embedder)
    kept = ("rows", "stages", "with_oracle", "by_zone", "by_lang", "by_stage")
    return {name: found[name] for name in kept}


def show(result: Mapping[str, Any], earlier: Mapping[str, Any]) -> None:
    """Every figure beside the one of the run before."""
    before = dict(_flat(earlier))
    for name, value in _flat(result):
        old = before.get(name)
        changed = "" if old is None or old == value else f"   was {_text(old)}"
        print(f"{name:64}{_text(value):>22}{changed}")


def _flat(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _flat(inner, f"{name}: {key}" if name else key)
    elif isinstance(value, (list, tuple)) and len(value) == 2 and isinstance(value[0], int):
        yield name, list(value)
    elif isinstance(value, (int, float)):
        yield name, value


def _text(value: Any) -> str:
    if isinstance(value, list):
        hits, total = value
        return f"{hits}/{total} ({hits / max(total, 1):.1%})"
    return f"{value:.3f}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    sys.exit(main())
