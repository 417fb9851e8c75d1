"""What a recall costs one user with ever more memories: warm, and the first one.

CPU of this process and of Milvus Lite's, because others share the machine; and the time it took.
"""

from __future__ import annotations

import gc
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from load import cpu_seconds, percentile
from product import DIM, EMBEDDER_ID, Engine
from sentences import Sentences
from speed import ask, fill, timed
from vectors import GivenVectors

from recollect.memory.recall import Recaller
from recollect.memory.recall.index.hot_indexes import MAX_MEMORIES
from recollect.proxy.serve import settle

WARM = (10, 100, 1000, 10_000, 20_000)
COLD = {10: 5, 100: 5, 1000: 3, 10_000: 1}
"""Users by their number of memories."""
SEARCHED = 26_000
"""Memories of a user whom the store searches, because they are more than an index takes."""
QUESTIONS = 100
Row = dict[str, float]


async def measure(*, quick: bool) -> dict[str, Any]:
    """By memories, without the embedding; bytes of an index per memory."""
    warm = {str(size): await _warm(size) for size in (WARM[:3] if quick else WARM)}
    first, searched = await _first([10, 100] if quick else list(COLD), 0 if quick else SEARCHED)
    return {"warm": warm, "first": first, "searched": searched, "indexed_up_to": MAX_MEMORIES}


async def _warm(size: int) -> dict[str, float]:
    """Distinct questions one after the other, store in memory."""
    sentences, embedder = Sentences(dim=DIM), GivenVectors(EMBEDDER_ID, DIM)
    engine = await Engine.open(embedder)
    texts = await fill(engine, sentences, "warm", size)
    asked = ask(sentences, embedder, texts, QUESTIONS + 1)
    recaller = engine.recaller()
    await timed(engine, recaller, "warm", asked[:1])
    cpu: list[float] = []
    seen = await timed(engine, recaller, "warm", asked[1:], cpu=cpu)
    row = {"p50_ms": percentile(seen, 0.5) * 1e3, "cpu_ms": percentile(cpu, 0.5) * 1e3}
    row["bytes"] = engine.indexes.nbytes / size
    await engine.close()
    print(
        f"  warm, {size:7,} memories: {row['cpu_ms']:.2f} ms CPU, p50 {row['p50_ms']:.2f} ms, "
        f"{row['bytes']:.0f} bytes each",
        flush=True,
    )
    return row


async def _first(sizes: list[int], searched: int) -> tuple[dict[str, Row], dict[str, Row]]:
    """The first recall of users, opened anew; and of one whom it searches."""
    sentences, embedder = Sentences(dim=DIM), GivenVectors(EMBEDDER_ID, DIM)
    names = [(f"cold{size}-{n}", size) for size in sizes for n in range(COLD[size])]
    names += [("searched", searched)] if searched else []
    with tempfile.TemporaryDirectory(prefix="recollect-scaling-") as folder:
        engine = await Engine.open(embedder, Path(folder))
        began = time.monotonic()
        texts = {name: await fill(engine, sentences, name, size) for name, size in names}
        print(f"  {sum(map(len, texts.values())):,} rows in {time.monotonic() - began:.0f} s")
        await engine.close()
        engine = await Engine.open(embedder, Path(folder))
        recaller, found = engine.recaller(), {}
        await timed(engine, recaller, "nobody", ask(sentences, embedder, texts[names[0][0]], 1))
        settle()  # as the proxy does when it has started
        for size in sizes:
            asked = [
                (name, ask(sentences, embedder, texts[name], 1)[0])
                for name, count in names
                if count == size
            ]
            found[str(size)] = row = await costs(engine, recaller, asked)
            print(f"  first, {size:6,} memories: {row['cpu_ms']:.1f} ms CPU", flush=True)
        by_store = {}
        if searched:
            asked = [("searched", q) for q in ask(sentences, embedder, texts["searched"], 6)]
            await costs(engine, recaller, asked[:1])
            by_store[str(searched)] = row = await costs(engine, recaller, asked[1:])
            print(f"  searched, {searched:6,} memories: {row['cpu_ms']:.1f} ms CPU", flush=True)
        await engine.close()
    return found, by_store


async def costs(engine: Engine, recaller: Recaller, asked: Sequence[tuple[str, str]]) -> Row:
    """The mean CPU of these recalls by user, the store's included, and the median of their time."""
    pid, seen = os.getpid(), []
    gc.collect()
    before = cpu_seconds(pid)
    for user, question in asked:
        seen += await timed(engine, recaller, user, [question], collect=False)
    spent = (cpu_seconds(pid) - before) / len(asked)
    return {"cpu_ms": spent * 1e3, "p50_ms": percentile(seen, 0.5) * 1e3}
