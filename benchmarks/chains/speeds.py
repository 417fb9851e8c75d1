"""How long a recall takes with expansion and without it, without the embedding."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import median
from typing import Any

from product import DIM, EMBEDDER_ID, Engine
from sentences import Sentences
from speed import ask, fill, percentiles, timed
from vectors import GivenVectors

from recollect.memory.recall import RecallOptions

SIZES = (10, 1000, 20_000)
ROUNDS, QUERIES = 6, 60


async def measure(ways: Mapping[str, RecallOptions], *, quick: bool) -> dict[str, Any]:
    """Of each size, percentiles in ms by way, and the ratio of the medians."""
    return {str(size): await _of_size(size, ways, 1 if quick else ROUNDS) for size in SIZES}


async def _of_size(size: int, ways: Mapping[str, RecallOptions], rounds: int) -> dict[str, Any]:
    sentences, embedder = Sentences(dim=DIM), GivenVectors(EMBEDDER_ID, DIM)
    engine = await Engine.open(embedder)
    texts = await fill(engine, sentences, "user", size)
    recallers = {name: engine.recaller(options) for name, options in ways.items()}
    seen: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(rounds + 1):
        asked = ask(sentences, embedder, texts, QUERIES)
        # One after the other, in turns: a machine that becomes slower does so for all.
        for name, recaller in recallers.items():
            took = await timed(engine, recaller, "user", asked)
            seen[name] += took if number else []
    await engine.close()
    rows: dict[str, Any] = {name: percentiles(took) for name, took in seen.items()}
    medians = [median(took) for took in seen.values()]
    rows["ratio of p50"] = medians[-1] / medians[0]
    print(f"  {size:6,} memories: {rows}")
    return rows
