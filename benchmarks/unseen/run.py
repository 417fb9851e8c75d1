"""What the user feels of every judgement, on text that nobody tuned it to.

    python benchmarks/unseen/run.py [--data FOLDER] [--no-recall]

- other people's data (`gate-external`, `innocent`, the two stores), from ../shared/data;
- rows of our own (`rows/`), written in fifteen languages and some without a file by writers who had
  not seen any term of the product: planted and honest facts, innocent texts, secrets told in prose
  and decoys, changes of facts. Each file apart; `sets.DEVELOPMENT` says which have been seen since;
- the sets that the product was written from (`poison`, `secrets`), beside them.

Prints a table, writes benchmarks/results/unseen.json, and compares with the file of the run before.
The rows decide nothing about the product: a change that is tuned on them makes them worthless.
Exits with 2 without the data.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
# Not this folder, nor that of learning, whose secrets.py would be found in the place of Python's.
sys.path[:1] = [str(ROOT), str(ROOT / "benchmarks"), str(ROOT / "benchmarks" / "recall")]

from learning import conflict  # noqa: E402 - the script runs without an installation
from load import RESULTS, write_json  # noqa: E402 - the same
from product import disk_embedder  # noqa: E402 - the same
from unseen import figures, sets, stores, table  # noqa: E402 - the same

from recollect.memory.model.ports import Embedder  # noqa: E402 - the same

NAME = "unseen"
OWN = {"innocent": figures.innocent, "planted": figures.planted, "secrets": figures.secrets}
"""Judgements with own rows."""


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
        **{f"own {stem}": figures.gate(sets.read(path)) for stem, path in sets.own("gate").items()},
        "innocent": figures.innocent(sets.rows(data, "innocent")),
        "poison": figures.planted(sets.rows(data, "poison")),
        "secrets": figures.secrets(sets.rows(data, "secrets")),
    }
    for name, count in OWN.items():
        result |= {f"own {stem}": count(sets.read(path)) for stem, path in sets.own(name).items()}
    embedder = await disk_embedder(RESULTS)
    try:
        for stem, path in sets.own("conflict").items():
            result[f"own {stem}"] = await _conflict(path, embedder)
        requests = [row for row in sets.rows(data, "gate-external") if not row["search"]]
        for name, rows in _stores(data).items():
            result[name] = figures.gate_questions(rows)
            if with_recall:
                result[name] |= await stores.measure(rows, embedder, requests)
    finally:
        await embedder.close()
    return result


def _stores(data: Path) -> dict[str, Sequence[Mapping[str, Any]]]:
    """Other people's stores and our own, by name."""
    own = {f"own {stem}": sets.read(path) for stem, path in sets.own("recall").items()}
    return {name: sets.rows(data, name) for name in sets.STORES} | own


async def _conflict(path: Path, embedder: Embedder) -> dict[str, Any]:
    found = await conflict.measure(path, embedder)
    kept = ("rows", "stages", "with_oracle", "by_zone", "by_lang", "by_stage")
    return {name: found[name] for name in kept}


def show(result: Mapping[str, Any], earlier: Mapping[str, Any]) -> None:
    """Every figure beside the one of the run before, and the own rows by language."""
    for line in table.lines(result, earlier):
        print(line)
    own = {stem: sets.standing(stem) for name in OWN for stem in sets.own(name)}
    for standing in sorted(set(own.values())):
        files = [stem for stem, worth in own.items() if worth == standing]
        print(f"\n{standing}: {', '.join(files)}")
        for line in table.matrix(result, [f"own {stem}" for stem in files]):
            print(line)


if __name__ == "__main__":
    sys.exit(main())
