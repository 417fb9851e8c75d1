"""What the score of a search hit is worth: the share of right hits at each score.

    python -m benchmarks.scores --data FOLDER [--most 2] [--out FILE]

Adds the turns of LoCoMo conversations as they are, asks their answerable questions through the
library, and counts the hits whose turn is evidence.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from recollect.memory import AsyncMemory

sys.path.append(str(Path(__file__).parent / "recall"))
from locomo import Conversation, files, samples, turns

LIMIT = 10
BINS = 10


async def counted(conversation: Conversation, found: dict[int, list[int]]) -> None:
    """Add the hits of one conversation's questions to their bins: right ones, and all."""
    async with await AsyncMemory.open() as memory:
        turn_of = {}
        for session in conversation.sessions:
            for entry in session.entries:
                added = await memory.add(
                    entry.text, user_id="u", infer=False, dedupe=False, timestamp=session.at
                )
                turn_of.update((event["id"], entry.id) for event in added["results"])
        for asked in conversation.questions:
            if not asked.answerable:
                continue
            hits = await memory.search(asked.text, user_id="u", limit=LIMIT)
            for hit in hits["results"]:
                count = found[min(int(hit["score"] * BINS), BINS - 1)]
                count[0] += turn_of[hit["id"]] in asked.evidence
                count[1] += 1


async def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--most", type=int, default=2, help="Conversations.")
    parser.add_argument("--out", type=Path, help="Write JSON here.")
    chosen = parser.parse_args()
    found: dict[int, list[int]] = defaultdict(lambda: [0, 0])
    for name, sample in samples(files(chosen.data))[: chosen.most]:
        await counted(turns(name, sample), found)
    rows: list[dict[str, Any]] = [
        {"from": number / BINS, "hits": every, "right": round(right / every, 3)}
        for number, (right, every) in sorted(found.items())
    ]
    for row in rows:
        print(f"{row['from']:.1f}  {row['hits']:6}  {row['right']:.3f}")
    if chosen.out:
        chosen.out.write_text(json.dumps(rows, indent=2))
    return 0


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
