"""What a recall costs as there are more users than the index holds."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import psutil
from load import median
from product import DIM, EMBEDDER_ID, Engine, memories
from scaled.memories import costs
from sentences import Sentences
from speed import PUT_ROWS, STORED_AT, ask
from vectors import GivenVectors

from recollect.memory.recall.index.hot_indexes import MAX_BYTES
from recollect.proxy.serve import settle

MEMORIES = 100
"""Of each user."""
USERS = (1, 10, 100, 200)
CACHE_MB = 16
"""Less than the most users fill, so that eviction is seen."""
TOURS = 3
"""Each user asks so often, all in turn: the worst for an index that drops the longest unused."""


async def measure(*, quick: bool) -> dict[str, Any]:
    """Milliseconds of a recall, all users in turn,; and what the index takes."""
    counts = USERS[:2] if quick else USERS
    sentences, embedder = Sentences(dim=DIM), GivenVectors(EMBEDDER_ID, DIM)
    with tempfile.TemporaryDirectory(prefix="recollect-scaling-") as folder:
        engine = await Engine.open(embedder, Path(folder), cache_mb=CACHE_MB)
        texts = await _filled(engine, sentences, max(counts))
        rows = {
            str(count): await _asked(engine, sentences, embedder, texts, count) for count in counts
        }
        await engine.close()
    return {
        "users": rows,
        "memories": MEMORIES,
        "cache_mb": CACHE_MB,
        "own_cache_mb": MAX_BYTES // 2**20,
    }


async def _filled(engine: Engine, sentences: Sentences, users: int) -> list[str]:
    texts: list[str] = []
    rows = []
    for number in range(users):
        made = sentences.memories(MEMORIES)
        texts += made.texts
        rows += memories(f"user{number}", made.texts, made.vectors, STORED_AT)
        if len(rows) >= PUT_ROWS or number + 1 == users:
            await engine.store.put(rows)
            rows = []
    await engine.linked()
    return texts


async def _asked(
    engine: Engine, sentences: Sentences, embedder: GivenVectors, texts: list[str], users: int
) -> dict[str, float]:
    """The tours after the first one, in which everybody is new."""
    recaller = engine.recaller()
    settle()
    rows = []
    for _ in range(TOURS):
        questions = ask(sentences, embedder, texts, users)
        asked = [(f"user{number}", question) for number, question in enumerate(questions)]
        rows.append(await costs(engine, recaller, asked))
        embedder.vectors.clear()
    row = {
        "cpu_ms": median([each["cpu_ms"] for each in rows[1:]]),
        "p50_ms": median([each["p50_ms"] for each in rows[1:]]),
        "index_mb": engine.index_mb,
        "indexes": len(engine.indexes),
        "rss_mb": psutil.Process().memory_info().rss / 2**20,
    }
    print(
        f"  {users:4} users: {row['cpu_ms']:.2f} ms CPU, {row['indexes']} indexes of "
        f"{row['index_mb']:.1f} MB",
        flush=True,
    )
    return row
