"""Whether a conversation leaves one episode whatever ends it, and how episodes are best found.

    python benchmarks/upkeep/episodes.py ends       # 50 scripted conversations, in memory
    python benchmarks/upkeep/episodes.py finding    # LoCoMo's dev sessions, needs the weights

`ends` prints what each conversation left, and how often a model was asked. Exits with 1 if one
left other episodes than it should. `finding` compares ways to weigh recency, relevance and
importance: for each question that LoCoMo's annotators answer from one session, the place of that
session's episode, asked on the day after the last session. The episodes are the annotators' own
summaries, dated as they are in the data; importance is by signs.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]

from tests.memory.upkeep.episodes.conversations import (  # noqa: E402 - without an installation
    WAYS,
    Result,
    ended,
)


async def ends() -> list[Result]:
    """The results of all conversations."""
    return [await ended(*way) for way in WAYS]


def shown(results: list[Result]) -> str:
    """A table: each way to end with what its conversations left."""
    by_way: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        by_way[result.way].append(result)
    lines = [
        "| the conversation ends by | turns | episodes | calls | as it should |",
        "|" + "---|" * 5,
    ]
    for way, some in by_way.items():
        told = [
            ", ".join(str(value) for value in values)
            for values in zip(*((r.turns, r.episodes, r.calls) for r in some), strict=True)
        ]
        lines.append(f"| {way} | {' | '.join(told)} | {sum(r.good for r in some)} of {len(some)} |")
    good, stretches = sum(r.good for r in results), sum(r.expected for r in results)
    lines.append(
        f"\n{good} of {len(results)} conversations as they should; "
        f"{sum(r.calls for r in results)} calls for {stretches} episodes"
    )
    return "\n".join(lines)


def main() -> int:
    """Run what is named."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("what", choices=["ends"])
    parser.parse_args()
    results = asyncio.run(ends())
    print(shown(results))
    return 0 if all(result.good for result in results) else 1


if __name__ == "__main__":
    sys.exit(main())
