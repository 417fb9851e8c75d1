"""What learning decides without a model, and what it puts to one.

    python benchmarks/learning/run.py [--data FOLDER] [--only PART ...]

- conflict: what the rules of the reconciler decide, and the rest by an oracle;
- pairs: two facts one after the other, which are both so, or of which the second replaces;
- evidence: which facts of an extractor become active, true ones and false ones;
- reach: which changes are put to a model beside the other facts of a person;
- marked: which changes words of change link without a model, and what else they link.

Prints a table for each, and writes benchmarks/results/learning.json. The data is for evaluation
only and is looked for in ../shared/data. Exits with 2 without it.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:1] = [str(ROOT), str(ROOT / "benchmarks")]

from learning import (  # noqa: E402 - the script runs without an installation
    conflict,
    evidence,
    marked,
    pairs,
    reach,
)
from load import write_json  # noqa: E402 - the same

from recollect.memory.embedders import LocalEmbedderOptions, open_embedder  # noqa: E402 - the same

PARTS = {
    "conflict": conflict,
    "evidence": evidence,
    "pairs": pairs,
    "reach": reach,
    "marked": marked,
}
MODELS = Path("~/.recollect/models").expanduser()


async def measured(parts: list[str], data: Path) -> dict[str, Any]:
    """The figures of each part, which are printed as well."""
    embedder = await open_embedder(LocalEmbedderOptions(model_dir=MODELS))
    try:
        found = {}
        for part in parts:
            print(f"\n== {part}")
            found[part] = await PARTS[part].told(data, embedder)
        return found
    finally:
        await embedder.close()


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--only", choices=PARTS, nargs="+", default=list(PARTS))
    wanted = parser.parse_args()
    files = (conflict.FILE, evidence.FILE, pairs.FILE)
    absent = [name for name in files if not (wanted.data / name).is_file()]
    if absent:
        print(f"evaluation data is missing: {', '.join(absent)} (use --data)", file=sys.stderr)
        return 2
    found = asyncio.run(measured(wanted.only, wanted.data))
    print(f"\nwritten to {write_json('learning', found)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
