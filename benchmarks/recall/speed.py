"""Users with memories, and how long one recall of theirs takes without its embedding."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Sequence
from datetime import UTC, datetime

from load import percentile
from product import Engine, memories, user_scope
from sentences import Sentences
from vectors import GivenVectors

from recollect.memory.recall import Recaller

PUT_ROWS = 1000
STORED_AT = datetime(2026, 11, 20, tzinfo=UTC)


async def fill(engine: Engine, sentences: Sentences, user: str, count: int) -> list[str]:
    """Put memories of a user through the product's store; their texts.

    Returns when the graph has linked them, or that would count into the recalls that follow.
    """
    texts: list[str] = []
    for start in range(0, count, PUT_ROWS):
        made = sentences.memories(min(PUT_ROWS, count - start))
        await engine.store.put(memories(user, made.texts, made.vectors, STORED_AT, start))
        texts += made.texts
    await engine.linked()
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
