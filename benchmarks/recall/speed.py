"""How long one recall takes without its embedding: of a warm user, and of one nobody asked yet."""

from __future__ import annotations

import asyncio
import gc
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import patch

from load import percentile
from product import DIM, EMBEDDER_ID, Engine, memories, user_scope
from sentences import Sentences
from stages import costs
from vectors import GivenVectors

from recollect.memory.recall import Recaller
from recollect.proxy.serve import settle

SIZES = (10, 100, 1000, 10_000, 20_000)
STAGED = (10, 100, 1000, 20_000)
"""Sizes of which each stage is measured."""
STAGE_QUERIES = 60
QUERIES = 400
COLD_USERS = 20
COLD_MEMORIES = 1000
TARGETS = {1000: 0.6, 20_000: 3.0}
"""Issue 39: p50 in ms of a warm recall, by the memories of the user."""
COLD_TARGET = 40.0
PUT_ROWS = 1000
STORED_AT = datetime(2026, 11, 20, tzinfo=UTC)


async def measure(*, quick: bool) -> dict[str, Any]:
    """The warm sizes, the stages of some, then the cold users on a real Milvus Lite."""
    print("\nwarm recall without the embedding, one after the other, ms")
    warm = {size: await _warm(size, 50 if quick else QUERIES) for size in SIZES}
    staged = {str(size): await _staged(size) for size in STAGED}
    cold = await _cold(3 if quick else COLD_USERS)
    for size, target in TARGETS.items():
        _say(f"warm p50 at {size}", warm[size]["p50_ms"], target)
    _say(f"cold p95 at {COLD_MEMORIES}", cold["p95_ms"], COLD_TARGET)
    rows = {str(size): row for size, row in warm.items()}
    return {"warm": rows, "stages": staged, "cold": cold}


async def _warm(size: int, queries: int) -> dict[str, float]:
    sentences, embedder = Sentences(dim=DIM), GivenVectors(EMBEDDER_ID, DIM)
    engine = await Engine.open(embedder)
    texts = await fill(engine, sentences, "warm", size)
    asked = ask(sentences, embedder, texts, queries + 1)
    recaller = engine.recaller()
    await timed(engine, recaller, "warm", asked[:1])
    cpu: list[float] = []
    seen = await timed(engine, recaller, "warm", asked[1:], cpu=cpu)
    await engine.close()
    row = percentiles(seen) | {"cpu_p50_ms": percentile(cpu, 0.5) * 1e3}
    print(f"  {size:7,} memories, {queries} distinct queries: {shown(row)}", flush=True)
    return row


async def _staged(size: int) -> dict[str, dict[str, float]]:
    """What each stage costs once the texts of the memories were shown before."""
    sentences, embedder = Sentences(dim=DIM), GivenVectors(EMBEDDER_ID, DIM)
    engine = await Engine.open(embedder)
    texts = await fill(engine, sentences, "warm", size)
    asked = ask(sentences, embedder, texts, 2 * STAGE_QUERIES)
    recaller, scope = engine.recaller(), user_scope("warm")
    with patch("recollect.memory.recall.finder.IN_A_THREAD", size + 1):
        for question in asked:
            await engine.recall(recaller, scope, question)
        gc.collect()
        found = await costs(lambda question: engine.recall(recaller, scope, question), asked)
    await engine.close()
    print(f"\n  {size:7,} memories        CPU ms    calls")
    for name, row in found.items():
        print(f"    {name:22} {row['cpu_ms']:7.3f} {row['calls']:8.0f}")
    return found


async def _cold(users: int) -> dict[str, float]:
    """Each user's first recall, after the store was closed and opened again."""
    print(f"\nfirst recall of a user with {COLD_MEMORIES:,} memories, ms")
    sentences, embedder = Sentences(dim=DIM), GivenVectors(EMBEDDER_ID, DIM)
    with tempfile.TemporaryDirectory(prefix="recollect-recall-") as folder:
        engine = await Engine.open(embedder, Path(folder))
        names = [f"cold{number}" for number in range(users)]
        texts = {n: await fill(engine, sentences, n, COLD_MEMORIES) for n in [*names, "first"]}
        await engine.close()
        engine = await Engine.open(embedder, Path(folder))
        recaller = engine.recaller()
        # The first call of all also loads code and opens the connection.
        await timed(engine, recaller, "first", ask(sentences, embedder, texts["first"], 1))
        settle()  # as the proxy does when it has started
        seen, again = [], []
        for name in names:
            asked = ask(sentences, embedder, texts[name], 2)
            seen += await timed(engine, recaller, name, asked[:1])
            again += await timed(engine, recaller, name, asked[1:])
        await engine.close()
    row = percentiles(seen)
    print(f"  {users} users: {shown(row)}; their second recall: {shown(percentiles(again))}")
    return row | {"second_p50_ms": percentile(again, 0.5) * 1e3}


async def fill(engine: Engine, sentences: Sentences, user: str, count: int) -> list[str]:
    """Put memories of a user through the product's store; their texts."""
    texts: list[str] = []
    for start in range(0, count, PUT_ROWS):
        made = sentences.memories(min(PUT_ROWS, count - start))
        await engine.store.put(memories(user, made.texts, made.vectors, STORED_AT, start))
        texts += made.texts
    return texts


def ask(
    sentences: Sentences, embedder: GivenVectors, texts: Sequence[str], count: int
) -> list[str]:
    """Distinct questions whose vectors the embedder knows."""
    made = sentences.questions(texts, count)
    embedder.vectors |= dict(zip(made.texts, made.vectors, strict=True))
    return made.texts


async def timed(
    engine: Engine,
    recaller: Recaller,
    user: str,
    questions: Sequence[str],
    *,
    collect: bool = True,
    cpu: list[float] | None = None,
) -> list[float]:
    """Seconds of each recall, ranking, selection and counting of tokens included.

    Unless told not to, clears garbage first: what made the data is not what is measured. Adds the
    CPU seconds of this process to `cpu`, which tell more than the clock on a busy machine.
    """
    scope, seen = user_scope(user), []
    if collect:
        gc.collect()
    for question in questions:
        started, used = time.perf_counter(), time.process_time()
        await engine.recall(recaller, scope, question)
        seen.append(time.perf_counter() - started)
        if cpu is not None:
            cpu.append(time.process_time() - used)
        await asyncio.sleep(0)
    return seen


def percentiles(seconds: Sequence[float]) -> dict[str, float]:
    """p50, p95 and p99 in ms."""
    return {f"p{p}_ms": percentile(seconds, p / 100) * 1e3 for p in (50, 95, 99)}


def shown(row: dict[str, float]) -> str:
    """One line of percentiles."""
    named = ((key.removesuffix("_ms").replace("_", " "), value) for key, value in row.items())
    return ", ".join(f"{name} {value:.2f}" for name, value in named)


def _say(what: str, reached: float, target: float) -> None:
    verdict = "reached" if reached <= target else "missed"
    print(f"{what}: {reached:.2f} ms, wanted {target:g}: {verdict}")
