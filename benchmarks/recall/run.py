"""How much of the evidence recall finds, and for how many tokens.

    python benchmarks/recall/run.py [--data FOLDER_OR_FILE] [--quick]

LoCoMo turns stored as memories by direct mode, questions as queries: share of the evidence found,
tokens it took, beside the methods of FACTS.md on the same vectors; the same with facts of the
sessions in place of turns; what questions about somebody else bring in.

Prints tables, writes benchmarks/results/recall.json. The data is for evaluation only and is looked
for in ../shared/data. Exits with 2 without it.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))
sys.path.append(str(Path(__file__).resolve().parent.parent.parent))

from corpora import measure
from load import ROOT, stop_on_signals, write_json
from locomo import MissingDataError


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data", type=Path, default=ROOT.parent / "shared" / "data", help="folder or file"
    )
    parser.add_argument("--quick", action="store_true", help="a short run, to see that it works")
    return parser.parse_args()


def main() -> int:
    stop_on_signals()
    wanted = arguments()
    try:
        found = asyncio.run(measure(wanted.data, quick=wanted.quick))
    except MissingDataError as error:
        print(error, file=sys.stderr)
        return 2
    name = "recall-quick" if wanted.quick else "recall"
    print(f"\nwritten to {write_json(name, {'quality': found})}")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("stopped")
