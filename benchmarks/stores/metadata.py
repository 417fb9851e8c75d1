"""Filters on metadata: milliseconds of a user with 10,000 memories, in each store.

    python -m benchmarks.stores.metadata [--stores milvus-lite milvus-server …] [--memories 10000]

For Milvus also what the same costs when the store tells nothing of its metadata, which is how a
collection of an earlier version is read on a server.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.stores.places import PLACES
from recollect.memory.model.types import MemoryStatus, Scope, StoredMemory
from recollect.memory.query import parse
from recollect.memory.stores import open_store
from tests.support.filtering import items, samples

DIM = 384
BATCH = 2_000
TIMES = 3
USER = Scope(tenant="t", user_id="u")
FILTERS: dict[str, Any] = {
    "a text, 1 in 100": {"tag": "t7"},
    "a text, 1 in 2": {"half": "a"},
    "an element, 1 in 100": {"tags": {"contains": "t7"}},
    "a number, 1 in 100": {"percent": {"gte": 99}},
    "a number, 1 in 2": {"percent": {"gte": 50}},
    "another text, 99 in 100": {"tag": {"ne": "t7"}},
}


async def filled(store: Any, memories: int) -> np.ndarray:
    """Put the memories; returns a vector to search for."""
    rng = np.random.default_rng(1)
    [sample] = samples(items(USER), 1)
    for start in range(0, memories, BATCH):
        vectors = rng.normal(size=(BATCH, DIM)).astype(np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        await store.put([
            StoredMemory(
                replace(
                    sample,
                    id=f"m{number}",
                    text=f"User bought thing number {number}",
                    status=MemoryStatus.ACTIVE,
                    metadata={
                        "percent": number % 100, "half": "ab"[number % 2],
                        "tag": f"t{number % 100}", "tags": [f"t{number % 100}", "x"],
                    },
                ),
                vectors[number - start],
            )
            for number in range(start, min(start + BATCH, memories))
        ])  # fmt: skip
    await store.maintain()
    return vectors[0]


async def milliseconds(work: Callable[[], Awaitable[Any]]) -> float:
    """The median of some calls."""
    taken = []
    for _ in range(TIMES):
        started = time.perf_counter()
        await work()
        taken.append(time.perf_counter() - started)
    return 1000 * statistics.median(taken)


async def measured(store: Any, vector: np.ndarray, said: Any) -> list[float]:
    """A search for ten, a count and a list."""
    where = parse(said)
    return [
        await milliseconds(lambda: store.search(USER, vector, limit=10, where=where)),
        await milliseconds(lambda: store.count(USER, where=where)),
        await milliseconds(lambda: store.list(USER, limit=None, where=where)),
    ]


async def table(name: str, memories: int) -> None:
    """Print what each filter costs in a store."""
    async with PLACES[name]() as place:
        store: Any = await open_store(place.options, embedder_id="bench", dim=DIM)
        vector = await filled(store, memories)
        for filter_name, said in {"none": {}, **FILTERS}.items():
            found = await measured(store, vector, said)
            print(f"{name:14} {filter_name:26} {shown(found)}", flush=True)
        await store.close()


def shown(found: list[float]) -> str:
    """Search, count and list."""
    return " ".join(f"{one:8.1f}" for one in found)


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stores", nargs="*", choices=PLACES, default=["inmemory", "milvus-lite"])
    parser.add_argument("--memories", type=int, default=10_000)
    chosen = parser.parse_args()
    print(f"{'':41} {'search':>8} {'count':>8} {'list':>8}")
    for name in chosen.stores:
        await table(name, chosen.memories)


if __name__ == "__main__":
    asyncio.run(main())
