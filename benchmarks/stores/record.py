"""Runs what proves the stores, and records it for the table of docs/stores.md.

    python -m benchmarks.stores.record [--outcomes FILE] [--filters FILE …]

Runs the tests of `proofs.PROOFS`, unless `--outcomes` has those of an earlier run
(`STORES_RECORD`), adds the results of `benchmarks/filters.py --out`, and what each store says of
the filters itself. Writes benchmarks/stores/proven.json only if all passed, and what is not
measured anew stays.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.stores.proofs import FOLDER, ISOLATION, PROOFS, counted
from recollect.memory.query import parse
from recollect.memory.query.narrowing import narrowed
from recollect.memory.stores.chroma.where import ChromaLanguage
from recollect.memory.stores.milvus import where as milvus
from recollect.memory.stores.pgvector import where as pgvector
from recollect.memory.stores.qdrant.where import QdrantLanguage
from tests.support.filtering import filters, samples

ROOT = Path(__file__).resolve().parents[2]
RESULT = ROOT / "benchmarks" / "stores" / "proven.json"
FILTERS = 5_000
"""Those that `benchmarks/filters.py` repeats on other memories."""
_SAY = {
    "milvus-lite": partial(milvus.narrowed, tells=milvus.Tells.TEXT),
    "milvus-server": partial(milvus.narrowed, tells=milvus.Tells.FACETS),
    "pgvector": lambda found: narrowed(found, pgvector._Sql()),  # noqa: SLF001 - as its `add_filter`
    "qdrant-folder": lambda found: narrowed(found, QdrantLanguage()),
    "qdrant-rest": lambda found: narrowed(found, QdrantLanguage()),
    "chroma-folder": lambda found: narrowed(found, ChromaLanguage()),
    "chroma-server": lambda found: narrowed(found, ChromaLanguage()),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--outcomes", type=Path)
    parser.add_argument("--filters", type=Path, nargs="*", default=[])
    chosen = parser.parse_args()
    outcomes = json.loads((chosen.outcomes or _tested()).read_text("utf-8"))
    suites = counted(outcomes)
    if wrong := _wrong(suites):
        print("nothing is recorded:", *wrong, sep="\n  ")
        return 1
    known: dict[str, Any] = json.loads(RESULT.read_text("utf-8")) if RESULT.exists() else {}
    compared = known.get("filters", {}) | _compared(chosen.filters)
    result = {
        "recorded": f"{datetime.now(UTC):%Y-%m-%d}",
        "suites": suites,
        "filters": {store: compared[store] for store in PROOFS if store in compared},
        "native": {"filters": FILTERS} | _native(),
    }
    RESULT.write_text(json.dumps(result, indent=2) + "\n", "utf-8")
    print(f"wrote {RESULT.relative_to(ROOT)}")
    return 0


def _tested() -> Path:
    file = Path(tempfile.mkstemp(suffix=".json")[1])
    told = {**os.environ, "STORES_RECORD": str(file), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "pytest", "-q", FOLDER, ISOLATION]
    subprocess.run(command, cwd=ROOT, env=told, check=True)
    return file


def _wrong(suites: dict[str, dict[str, dict[str, int]]]) -> list[str]:
    """What did not pass, or did not run."""
    return [
        f"{store}, {column}: {found or 'no test ran'}"
        for store, columns in suites.items()
        for column, found in columns.items()
        if set(found) != {"passed"}
    ]


def _compared(files: list[Path]) -> dict[str, dict[str, int]]:
    every = [json.loads(file.read_text("utf-8")) for file in files]
    return {store: one[store] for one in every for store in PROOFS if store in one}


def _native() -> dict[str, dict[str, int]]:
    """How many filters a store answers alone, and how many it makes shorter."""
    said = [parse(one) for one in samples(filters(), FILTERS)]
    made = {store: [say(one) for one in said if one is not None] for store, say in _SAY.items()}
    return {
        store: {
            "whole": sum(one.exact for one in found),
            "part": sum(one.said is not None and not one.exact for one in found),
        }
        for store, found in made.items()
    }


if __name__ == "__main__":
    raise SystemExit(main())
