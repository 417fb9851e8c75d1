"""Shortened memories that nobody tuned to: how many true ones stand, and how many false ones.

    python benchmarks/upkeep/shortened.py

Rows lose words only: a false one loses a condition, a limit, an end or a doubt with them. Other
words, names and numbers need no rows: they never pass. Set 1 was written after the first rules, by
which any phrase could go at the end (at first contact 16 of 34 true ones stood, and 7 of 36 false
ones), set 2 after the second ones, by which only what a conjunction begins could go (6 of 7, and 10
of 13, which were chosen against that), set 3 after the third ones (8 of 10, and 10 of 11, which
were chosen against those: no rule tells "and sold it again" from "and sells them"). Prints a table.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:1] = [str(ROOT)]

from recollect.memory.upkeep.consolidate.truncation import Note  # noqa: E402 - the path above

ROWS = Path(__file__).parent / "rows" / "shortened.jsonl"


def main() -> int:
    rows = [json.loads(line) for line in ROWS.read_text("utf-8").splitlines()]
    found: Counter[tuple[str, bool, bool]] = Counter()
    for row in rows:
        point = Note(row["note"]).shortened(row["text"])
        stands = point is not None and point.covers
        for lang in (row["lang"], f"set {row['set']}"):
            found[lang, row["true"], stands] += 1
        if stands and not row["true"]:
            print("stands wrongly:", row["note"])
    print(f"\n{'':6}{'true, stand':>14}{'false, stand':>14}")
    for lang in (*dict.fromkeys(row["lang"] for row in rows), "set 1", "set 2", "set 3"):
        told = [
            f"{found[lang, true, True]}/{found[lang, true, True] + found[lang, true, False]}"
            for true in (True, False)
        ]
        print(f"{lang:6}{told[0]:>14}{told[1]:>14}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
