"""Whether a line earns its place: every figure of relevance beside what it must not be bought with.

    python -m benchmarks.relevance.run [--part NAME ...] [--data FOLDER]

Parts are those of `table.FIGURES`. Fresh rows are in `rows/` without `.dev` in their names, and
nothing was fitted on them; "known" rows were seen when memory was tuned. Chats run the filters of a
request, the gate included; "search" is what the library finds with its defaults. Prints a table,
with the shares by language, and writes benchmarks/results/relevance.json (a part that was not run
keeps what it had). Exits with 2 without the data.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:1] = [str(ROOT), str(ROOT / "benchmarks"), str(ROOT / "benchmarks" / "recall")]

from load import RESULTS, write_json  # noqa: E402 - the script runs without an installation
from unseen import sets  # noqa: E402 - the same

from . import known, own, table  # noqa: E402 - the same
from .counting import Counts  # noqa: E402 - the same
from .doors import Doors  # noqa: E402 - the same

RESULT = "relevance"
CONSTRAINTS = "constraints-4"
NEEDED = (
    "gate-external.dev.jsonl", "locomo-dev.json", "ood-realmem.dev.jsonl",
    "ood-realtalk.dev.jsonl", "persona.dev.jsonl",
)  # fmt: skip
Part = Callable[[Path, Counts], Awaitable[None]]


async def standing(data: Path, counts: Counts) -> None:
    await known.people(data, counts)
    await known.wishes(counts)


async def plain(_data: Path, counts: Counts) -> None:
    async with Doors.open() as doors:
        await own.plain(doors, own.own("plain"), counts)


async def tells(_data: Path, counts: Counts) -> None:
    async with Doors.open() as doors:
        await own.tells(doors, own.own("tells"), counts)


async def persons(data: Path, counts: Counts) -> None:
    await known.persons(own.read(data / "persona.dev.jsonl"), counts)


async def precision(_data: Path, counts: Counts) -> None:
    async with Doors.open() as doors:
        await own.precision(doors, own.own("precision"), counts)


async def constraints(_data: Path, counts: Counts) -> None:
    for figure, rows in (
        ("constraints", own.own("constraints")),
        ("known constraints", sets.read(sets.own(CONSTRAINTS)[CONSTRAINTS])),
    ):
        for some in known.in_turn(rows):
            async with Doors.open() as doors:
                await own.constraints(doors, some, counts, figure)


PARTS: Mapping[str, Part] = {
    "standing": standing,
    "plain": plain,
    "tells": tells,
    "impersonal": known.impersonal,
    "persons": persons,
    "precision": precision,
    "recall": known.recalled,
    "constraints": constraints,
}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--part", action="append", choices=list(PARTS), help="may be repeated")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    wanted = parser.parse_args()
    absent = [name for name in NEEDED if not (wanted.data / name).is_file()]
    if absent:
        print(f"not in {wanted.data}: {', '.join(absent)} (use --data)", file=sys.stderr)
        return 2
    path = RESULTS / f"{RESULT}.json"
    result = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    print(f"{'':66}{'all':>8}{'of':>7}  {'goal':9} by language")
    for name in wanted.part or PARTS:
        counts, started = Counts(), time.monotonic()
        asyncio.run(PARTS[name](wanted.data, counts))
        print("\n".join(table.printed(name, counts)), flush=True)
        result[name] = {
            "seconds": round(time.monotonic() - started, 1),
            "figures": table.figures(counts),
            "counts": counts.as_dict(),
        }
        write_json(RESULT, result)
    print(f"\nwritten to {path}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
