"""What a key for each user costs: recalls, the first recall, and writes, with and without.

Prints a table and writes benchmarks/results/sealed.json. Both are in the same run, their rounds
interleaved; the CPU is that of this process, without embedding, which is the same for both.
"""

from __future__ import annotations

import asyncio
import base64
import platform
import secrets
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from load import ROOT, median, write_json

sys.path.insert(0, str(ROOT / "benchmarks" / "recall"))

from product import DIM, EMBEDDER_ID, Engine
from sentences import Sentences
from speed import ask, fill, timed
from vectors import GivenVectors

SIZES = (100, 1_000, 5_000)
"""Memories of the user."""
ROUNDS, QUESTIONS = 12, 25
USER = "ann"


async def measured(size: int) -> dict[str, Any]:
    """CPU in ms by kind: a recall, the first one, and writing and linking a memory."""
    sealed = {
        "encryption": "per_user",
        "master_key": base64.b64encode(secrets.token_bytes(32)).decode(),
    }
    ways: dict[str, dict[str, str]] = {"plain": {}, "sealed": sealed}
    found: dict[str, dict[str, float]] = {way: {} for way in ways}
    recalls: dict[str, list[float]] = {way: [] for way in ways}
    with tempfile.TemporaryDirectory() as folder:
        opened, asked = {}, {}
        for way, database in ways.items():
            place = Path(folder) / way
            place.mkdir()
            sentences, embedder = Sentences(dim=DIM), GivenVectors(EMBEDDER_ID, DIM)
            engine = await Engine.open(embedder, place, database=database)
            began = time.process_time()
            texts = await fill(engine, sentences, USER, size)
            found[way]["write_ms"] = (time.process_time() - began) * 1e3 / size
            asked[way] = ask(sentences, embedder, texts, (ROUNDS + 1) * QUESTIONS)
            opened[way] = engine, engine.recaller()
            first: list[float] = []
            await timed(engine, opened[way][1], USER, asked[way][:1], cpu=first)
            found[way]["first_ms"] = first[0] * 1e3
            await timed(engine, opened[way][1], USER, asked[way][1:QUESTIONS])
        for number in range(1, ROUNDS + 1):
            # The other one begins in every second round.
            for way in sorted(ways, reverse=bool(number % 2)):
                questions = asked[way][number * QUESTIONS : (number + 1) * QUESTIONS]
                await timed(*opened[way], USER, questions, cpu=recalls[way])
        for engine, _ in opened.values():
            await engine.close()
    for way, seconds in recalls.items():
        found[way]["recall_ms"] = median(seconds) * 1e3
        found[way]["recall_mean_ms"] = sum(seconds) * 1e3 / len(seconds)
    return {"memories": size, **found}


def table(rows: list[dict[str, Any]]) -> str:
    """The figures for people."""
    lines = ["| memories | CPU in ms | in the open | sealed | more |", "|---|---|---|---|---|"]
    for row in rows:
        for kind in row["plain"]:
            plain, sealed = row["plain"][kind], row["sealed"][kind]
            name = kind.removesuffix("_ms").replace("_", " ")
            more = f"{(sealed / plain - 1) * 100:+.1f} %"
            lines.append(f"| {row['memories']} | {name} | {plain:.3f} | {sealed:.3f} | {more} |")
    return "\n".join(lines)


async def main() -> None:
    """Measure, print, keep."""
    rows = [await measured(size) for size in SIZES]
    print(table(rows))
    told = {"at": datetime.now(UTC).isoformat(), "machine": platform.processor(), "rows": rows}
    print(write_json("sealed", told))


if __name__ == "__main__":
    asyncio.run(main())
