"""Whether what a user said is heard whole, and what of it comes up that has no business there.

    python -m benchmarks.heard.run [--part NAME ...] [--dev]

Parts are those of `table.FIGURES`. Each row is told by a user of its own, in one conversation, and
asked in another, at once and without any model. Rows without `.dev` in the names of their files are
fresh: read them to report, never to tune; `--dev` takes the others. Prints a table, with the shares
by language, and writes benchmarks/results/heard.json (a part that was not run keeps what it had).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:1] = [str(ROOT), str(ROOT / "benchmarks")]

from load import RESULTS, write_json  # noqa: E402 - the script runs without an installation

from ..relevance import table as printing  # noqa: E402 - the same
from ..relevance.counting import Counts  # noqa: E402 - the same
from . import counting, table  # noqa: E402 - the same
from .counting import Row  # noqa: E402 - the same
from .telling import Hearing  # noqa: E402 - the same

RESULT = "heard"
AT_ONCE = 25
"""Users of one engine: what many more told falls out of its memory."""
Part = Callable[[Hearing, Sequence[Row], Counts], Awaitable[None]]


async def kept(hearing: Hearing, some: Sequence[Row], counts: Counts) -> None:
    """Each row is asked its question, and one of a neighbour in the same language."""
    for row in some:
        given = await hearing.ask(row["id"], row["ask"])
        passages = await hearing.passages(row["id"])
        counting.kept(counts, row, given, passages)
        if "pasted" in row:
            counting.pasted(counts, row, await hearing.ask(row["id"], row["pasted"]["ask"]))
        said = [one["content"] for one in row["messages"] if one["role"] == "user"]
        counts.add("size passages", row["lang"], len(passages), len(said))
        counts.add("size kept", row["lang"], sum(map(len, passages)), sum(map(len, said)))
    for row, stranger in counting.strangers(some):
        given = await hearing.ask(row["id"], stranger["ask"])
        counts.add("kept stranger", row["lang"], bool(given))


async def noise(hearing: Hearing, some: Sequence[Row], counts: Counts) -> None:
    for row in some:
        given = await hearing.ask(row["id"], row["ask"])
        again = await hearing.ask(row["id"], row["messages"][-1]["content"])
        counting.noise(counts, row, given, again)


async def glued(hearing: Hearing, some: Sequence[Row], counts: Counts) -> None:
    for row in some:
        counting.glued(counts, row, await hearing.ask(row["id"], row["ask"]))


async def private(hearing: Hearing, some: Sequence[Row], counts: Counts) -> None:
    for row in some:
        unrelated = await hearing.ask(row["id"], row["unrelated"])
        counting.private(counts, row, unrelated, await hearing.ask(row["id"], row["ask"]))


PARTS: Mapping[str, Part] = {"kept": kept, "noise": noise, "glued": glued, "private": private}


async def measured(part: str, all_rows: Sequence[Row]) -> Counts:
    """The counts of a part."""
    counts = Counts()
    for at in range(0, len(all_rows), AT_ONCE):
        some = all_rows[at : at + AT_ONCE]
        async with Hearing.open() as hearing:
            for row in some:
                await hearing.tell(row["id"], row["messages"])
            await hearing.settled()
            await PARTS[part](hearing, some, counts)
    return counts


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--part", action="append", choices=list(PARTS), help="may be repeated")
    parser.add_argument("--dev", action="store_true", help="the rows that may be tuned on")
    wanted = parser.parse_args()
    which = "dev" if wanted.dev else "fresh"
    path = RESULTS / f"{RESULT}.json"
    result = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    print(f"{'':66}{'all':>8}{'of':>7}  {'goal':9} by language")
    for part in wanted.part or PARTS:
        started = time.monotonic()
        some = counting.read(part, dev=wanted.dev)
        counts = asyncio.run(measured(part, some))
        print("\n".join(printing.printed(part, counts, table.FIGURES)), flush=True)
        result.setdefault(which, {})[part] = {
            "seconds": round(time.monotonic() - started, 1),
            "figures": printing.figures(counts, table.FIGURES),
            "counts": counts.as_dict(),
        }
        write_json(RESULT, result)
    print(f"\nwritten to {path}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
