"""What a recall of one user costs by the store, as he has more memories and as others have them.

The vectors are generated, and rows are written through the product's own store in batches, with the
vector index following them as it does in a running product: nothing is embedded. Each size is
measured when the index has followed. CPU is that of this process and of the store's own; the time
that a recall took has the machine's other work in it.
"""

from __future__ import annotations

import asyncio
import gc
import os
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from unittest import mock

from load import cpu_seconds, percentile
from product import DIM, EMBEDDER_ID, memories, user_scope
from sentences import Sentences
from speed import PUT_ROWS, STORED_AT, ask
from vectors import GivenVectors

from recollect.memory.api.library import library_options
from recollect.memory.engine import opening
from recollect.memory.engine.engine import Engine

SIZES = (1_000, 10_000, 100_000)
"""Memories of one user."""
MILLION = 1_000_000
QUESTIONS = 10
OTHERS_EACH = 100
FOLLOWED_SECONDS = 3_600.0
"""Longest wait for the index."""
POLL_SECONDS = 0.2
_QUIET = {"upkeep": {"enabled": False}, "graph": {"enabled": False}}
"""What works on memories beside a recall, and would be measured with it."""
LITE, PGVECTOR = "SQLite, Milvus Lite", "PostgreSQL, pgvector"


async def measure(*, quick: bool, million: bool = False) -> dict[str, Any]:
    """By store: by the memories of the user, and with a million in all if wanted."""
    found: dict[str, Any] = {}
    total = MILLION if million else 0
    for name, place in ((LITE, _lite), (PGVECTOR, _pgvector)):
        with tempfile.TemporaryDirectory(prefix="recollect-scaling-") as folder:
            async with place() as given:
                sizes = SIZES[:1] if quick else SIZES
                found[name] = await _of_store(name, given, Path(folder), sizes, total)
    return found


@asynccontextmanager
async def _lite() -> AsyncIterator[dict[str, Any]]:
    yield {"index": {"backend": "milvus"}}


@asynccontextmanager
async def _pgvector() -> AsyncIterator[dict[str, Any]]:
    from tests.support.postgres_server import PostgresServer  # only where it is wanted

    server = PostgresServer()
    await asyncio.to_thread(server.start)
    try:
        url = server.url()
        yield {"index": {"backend": "pgvector", "uri": url}, "database": {"url": url}}
    finally:
        await asyncio.to_thread(server.remove)


async def _of_store(
    name: str, given: dict[str, Any], folder: Path, sizes: tuple[int, ...], total: int
) -> dict[str, Any]:
    sentences, embedder = Sentences(dim=DIM), GivenVectors(EMBEDDER_ID, DIM)
    rows: dict[str, Any] = {"user": {}, "others": {}}
    async with _engine(given, folder, embedder) as engine:
        texts: list[str] = []
        for size in sizes:
            began = time.monotonic()
            texts += await _filled(engine, sentences, "one", size - len(texts), len(texts))
            written = time.monotonic() - began
            await _followed(engine)
            rows["user"][str(size)] = row = await _asked(engine, sentences, embedder, texts)
            row |= {"written_s": written, "followed_s": time.monotonic() - began}
            _show(name, f"{size:,} of one user", row)
        if total > len(texts):
            began, stored = time.monotonic(), len(texts)
            for first in range(stored, total, PUT_ROWS):
                await _others(engine, sentences, first, min(PUT_ROWS, total - first))
            await _followed(engine)
            rows["others"][str(total)] = row = await _asked(engine, sentences, embedder, texts)
            row["followed_s"] = time.monotonic() - began
            _show(name, f"{total:,} in the store", row)
    return rows


@asynccontextmanager
async def _engine(
    given: dict[str, Any], folder: Path, embedder: GivenVectors
) -> AsyncIterator[Engine]:
    """The product's engine with its background work, on an embedder that only looks up."""

    async def lent(_wanted: object) -> GivenVectors:
        return embedder

    place = None if "database" in given else folder
    options = library_options({**given, **_QUIET}, place)
    with mock.patch.object(opening, "open_embedder", lent):
        async with Engine.open(options) as engine, engine.running():
            yield engine


async def _filled(
    engine: Engine, sentences: Sentences, user: str, count: int, first: int
) -> list[str]:
    texts: list[str] = []
    for start in range(first, first + count, PUT_ROWS):
        made = sentences.memories(min(PUT_ROWS, first + count - start))
        await engine.parts.store.put(memories(user, made.texts, made.vectors, STORED_AT, start))
        texts += made.texts
    return texts


async def _others(engine: Engine, sentences: Sentences, first: int, count: int) -> None:
    """Memories of users who have a hundred each, in one batch."""
    made, rows = sentences.memories(count), []
    for at in range(0, count, OTHERS_EACH):
        own = slice(at, at + OTHERS_EACH)
        user = f"other{(first + at) // OTHERS_EACH}"
        rows += memories(user, made.texts[own], made.vectors[own], STORED_AT)
    await engine.parts.store.put(rows)


async def _followed(engine: Engine) -> None:
    """Wait until the index has heard of everything, or is not needed yet."""
    follower = engine.parts.index
    assert follower is not None
    until = time.monotonic() + FOLLOWED_SECONDS
    while follower.state.word != "resting":
        mark = await follower._marks.mark(follower._name)  # noqa: SLF001 - nobody else asks
        last = await follower._log.last_seq()  # noqa: SLF001
        if mark is not None and mark.position is None and mark.seq == last:
            return
        if time.monotonic() > until:
            raise SystemExit("the index did not follow")
        await asyncio.sleep(POLL_SECONDS)


async def _asked(
    engine: Engine, sentences: Sentences, embedder: GivenVectors, texts: list[str]
) -> dict[str, float]:
    """Distinct questions one after the other; the first one, which builds an index, apart."""
    scope, seen, cpu = user_scope("one"), [], []
    questions = ask(sentences, embedder, texts, QUESTIONS + 1)
    gc.collect()
    for question in questions:
        # Milvus Lite and PostgreSQL are processes below this one.
        began, used = time.perf_counter(), cpu_seconds(os.getpid())
        await engine.recaller.recall(scope, question)
        seen.append(time.perf_counter() - began)
        cpu.append(cpu_seconds(os.getpid()) - used)
    return {
        "first_ms": seen[0] * 1e3,
        "p50_ms": percentile(seen[1:], 0.5) * 1e3,
        "cpu_ms": percentile(cpu[1:], 0.5) * 1e3,
    }


def _show(name: str, what: str, row: dict[str, float]) -> None:
    print(
        f"  {name}, {what}: {row['cpu_ms']:.1f} ms CPU, p50 {row['p50_ms']:.1f} ms, first "
        f"{row['first_ms']:.0f} ms, written and followed in {row['followed_s']:.0f} s",
        flush=True,
    )
