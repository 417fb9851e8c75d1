"""Filters: whether every store means what the reference says, and what queries cost.

    python -m benchmarks.filters [--stores inmemory milvus-lite …] [--cases 50000] [--no-times]
        [--out FILE]

Compares listings of random memories through random filters with the reference of the tests, on each
of these stores (`benchmarks/stores/places.py`), and counts memories of other scopes. Then times
searches and listings against a baseline in the same run.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from hypothesis import strategies as st

from benchmarks.stores.places import PLACES
from recollect.memory import AsyncMemory, Memory
from recollect.memory.embedders import CachedEmbedder
from recollect.memory.model.types import MemoryStatus, Scope, StoredMemory
from recollect.memory.query import parse
from recollect.memory.stores import open_store
from tests.support.filtering import filters, holds, items, samples

DIM = 8
MANY = 20_000
EVERY = frozenset(MemoryStatus)
PER_ROUND = 500
"""Filters that are tried on the same memories."""


def unit() -> float:
    """Seconds of one unit (FACTS.md)."""
    started = time.perf_counter()
    sum(i * i % 7 for i in range(400_000))
    return time.perf_counter() - started


async def differences(options: Any, cases: int, *, at_once: int = 1) -> dict[str, int]:
    """How often a store and the reference differ, and how many memories of others were shown."""
    store = await open_store(options, embedder_id="bench", dim=DIM)
    alice, bob = Scope(tenant="t", user_id="alice"), Scope(tenant="t", user_id="bob")
    vector = np.ones(DIM, np.float32) / np.sqrt(np.float32(DIM))
    wrong = foreign = done = 0
    try:
        # Fewer than cases, so that filters repeat on other memories.
        said = samples(filters(), min(cases, 5_000))
        pairs = samples(st.tuples(items(alice), items(bob)), 2_000)
        while done < cases:
            await store.reset("t")
            some = [pairs[(done // 20 + n) % len(pairs)] for n in range(20)]
            stored = [
                replace(item, id=f"{item.scope.user_id}-{n}")
                for n, pair in enumerate(some)
                for item in pair
            ]
            await store.put([StoredMemory(item, vector) for item in stored])
            own = [item for item in stored if item.scope == alice]
            last = min(done + PER_ROUND, cases)
            for first in range(done, last, at_once):
                several = [said[n % len(said)] for n in range(first, min(first + at_once, last))]
                answers = await asyncio.gather(*(
                    store.list(alice, limit=None, statuses=EVERY, where=parse(asked))
                    for asked in several
                ))  # fmt: skip
                for asked, found in zip(several, answers, strict=True):
                    expected = {item.id for item in own if holds(asked, item)}
                    wrong += {item.id for item in found} != expected
                    foreign += sum(item.scope != alice for item in found)
            done = last
    finally:
        await store.close()
    return {"cases": cases, "differences": wrong, "of other scopes": foreign}


async def seconds(work: Callable[[], Awaitable[Any]], times: int = 15) -> float:
    """The median of some calls."""
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        await work()
        taken.append(time.perf_counter() - started)
    return statistics.median(taken)


async def _uncached() -> AsyncMemory:
    """A memory that embeds every text, however often it is asked for."""
    with patch(
        "recollect.memory.engine.engine.CachedEmbedder", partial(CachedEmbedder, max_entries=0)
    ):
        return await AsyncMemory.open()


async def costs() -> dict[str, float]:
    """Milliseconds, at 20,000 memories of one user in this process."""
    async with await _uncached() as memory:
        engine = memory._engine  # noqa: SLF001 - fills it faster than `add` could
        scope = Scope(tenant="local", user_id="u")
        rng = np.random.default_rng(1)
        [sample] = samples(items(scope), 1)
        for start in range(0, MANY, 2000):
            vectors = rng.normal(size=(2000, engine.parts.embedder.dim)).astype(np.float32)
            vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
            await engine.parts.store.put([
                StoredMemory(
                    replace(
                        sample, id=f"m{start + n}", text=f"User bought thing number {start + n}",
                        status=MemoryStatus.ACTIVE, metadata={"n": start + n},
                    ),
                    vectors[n],
                )
                for n in range(2000)
            ])  # fmt: skip
        filtered = {"n": {"gte": MANY // 2}}
        await memory.search("thing 7", user_id="u")
        found = {
            "embed": await seconds(lambda: engine.parts.embedder.embed(["What did I buy today?"])),
            "search": await seconds(
                lambda: memory.search("What did I buy today?", user_id="u", limit=10)
            ),
            "search, filtered": await seconds(
                lambda: memory.search(
                    "What did I buy today?", user_id="u", limit=10, filters=filtered
                )
            ),
            "count, filtered": await seconds(
                lambda: memory.count(user_id="u", filters=filtered), 5
            ),
            "page of 100": await seconds(lambda: memory.get_all(user_id="u"), 5),
        }
    return {name: 1000 * value for name, value in found.items()}


async def small() -> dict[str, float]:
    """Milliseconds of a search of a warm user with 100 memories, and of its embedding."""
    async with await _uncached() as memory:
        engine = memory._engine  # noqa: SLF001 - its embedder is the baseline
        for number in range(100):
            await memory.add(f"User bought thing {number}", user_id="u", infer=False)
        found = {
            "embed": await seconds(
                lambda: engine.parts.embedder.embed(["What did I buy?"]),
                60,
            ),
            "search": await seconds(
                lambda: memory.search("What did I buy?", user_id="u", limit=10), 60
            ),
        }
    return {name: 1000 * value for name, value in found.items()}


def facade() -> float:
    """Milliseconds that `Memory` adds to a call of `AsyncMemory`."""
    with Memory() as memory:
        asynchronous = memory._memory  # noqa: SLF001 - the one that it wraps

        def timed(work: Callable[[], Any]) -> float:
            taken = []
            for _ in range(300):
                started = time.perf_counter()
                work()
                taken.append(time.perf_counter() - started)
            return statistics.median(taken)

        async def inner() -> float:
            return await seconds(lambda: asynchronous.get("none"), 300)

        within = memory._portal.call(inner())  # noqa: SLF001 - on its own loop
        return 1000 * (timed(lambda: memory.get("none")) - within)


async def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stores", nargs="*", choices=PLACES, default=["inmemory", "milvus-lite"])
    parser.add_argument("--cases", type=int, default=50_000, help="On each store.")
    parser.add_argument("--no-times", action="store_true", help="Compare only.")
    parser.add_argument("--out", type=Path, help="Write JSON here.")
    chosen = parser.parse_args()
    result: dict[str, Any] = {"unit_seconds": unit()}
    for name in chosen.stores:
        async with PLACES[name]() as place:
            result[name] = await differences(place.options, chosen.cases, at_once=place.at_once)
    if not chosen.no_times:
        result |= await times(result["unit_seconds"])
    for name, value in result.items():
        print(f"{name:24} {value}")
    if chosen.out:
        chosen.out.write_text(json.dumps(result, indent=2))
    wrong = (
        result[name]["differences"] + result[name]["of other scopes"] for name in chosen.stores
    )
    return int(any(wrong))


async def times(unit_seconds: float) -> dict[str, Any]:
    """What queries cost, in milliseconds, and ratios of them."""
    result: dict[str, Any] = {}
    result["20,000 memories, ms"] = many = await costs()
    result["100 memories, ms"] = few = await small()
    result["facade, ms"] = await asyncio.to_thread(facade)
    result["ratios"] = {
        "search of a warm user / embedding": few["search"] / few["embed"],
        "filtered / unfiltered search at 20,000": many["search, filtered"] / many["search"],
        "facade / unit": result["facade, ms"] / 1000 / unit_seconds,
    }
    return result


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
