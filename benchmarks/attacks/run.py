"""What an attacker, or an unlucky sentence, can do to a memory, with counter-figures.

    python -m benchmarks.attacks.run [SUBJECT ...] [--show]

Each subject is a module of this folder with `async def measure() -> Sequence[Figure]`. Its rows
are in `rows/SUBJECT.jsonl` (written after the code was frozen) and `rows/SUBJECT.dev.jsonl` (tuned
on). Prints a table, writes benchmarks/results/attacks.json. `--show` prints the rows that fail.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:1] = [str(ROOT), str(ROOT / "benchmarks")]

from load import write_json  # noqa: E402 - the script runs without an installation

HERE = Path(__file__).parent
NO_SUBJECTS = frozenset({"__init__", "run", "figure"})


def subjects() -> list[str]:
    return sorted(path.stem for path in HERE.glob("*.py") if path.stem not in NO_SUBJECTS)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("subjects", nargs="*", metavar="SUBJECT", help="all, if none is named")
    parser.add_argument("--show", action="store_true", help="print the rows that fail")
    wanted = parser.parse_args()
    unknown = sorted(set(wanted.subjects) - set(subjects()))
    if unknown:
        parser.error(f"no such subject: {', '.join(unknown)}; there are {', '.join(subjects())}")
    result = {}
    for subject in wanted.subjects or subjects():
        module = importlib.import_module(f"benchmarks.attacks.{subject}")
        figures = asyncio.run(module.measure())
        print(f"\n{subject}")
        for figure in figures:
            print(figure.line())
            if wanted.show:
                for row in figure.failed:
                    print(f"      {row}")
        result[subject] = [figure.as_dict() for figure in figures]
    print(f"\nwritten to {write_json('attacks', result)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
