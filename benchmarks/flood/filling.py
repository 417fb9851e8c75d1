"""A data folder with many memories of many users, written before the product starts.

    python benchmarks/flood/filling.py FOLDER MEMORIES

The vectors are random and of the default embedder's length: nothing is embedded.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import numpy as np

from recollect.memory.api.library import library_options
from recollect.memory.engine.engine import Engine
from recollect.memory.model.types import MemoryItem, MemoryType, Scope, StoredMemory, utc_now

TENANT = "local"
PER_USER = 100
BATCH = 2_000
THINGS = ("bicycle", "teapot", "garden", "boat", "piano", "coat", "camera")
TRAITS = ("red", "small", "new", "wooden", "quiet", "old", "tall")


async def fill(folder: Path, memories: int) -> None:
    """Write that many memories, a hundred for each user."""
    options = library_options({}, folder)
    random = np.random.default_rng(7)
    async with Engine.open(options) as engine:
        embedder = engine.parts.embedder
        for begin in range(0, memories, BATCH):
            numbers = range(begin, min(begin + BATCH, memories))
            vectors = random.standard_normal((len(numbers), embedder.dim)).astype(np.float32)
            vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
            await engine.parts.store.put(
                [
                    StoredMemory(_item(number, embedder.id), vector)
                    for number, vector in zip(numbers, vectors, strict=True)
                ]
            )


def _item(number: int, embedder: str) -> MemoryItem:
    now = utc_now()
    trait, thing = TRAITS[number % 7], THINGS[number // 7 % 7]
    return MemoryItem(
        id=f"{number:08x}",
        text=f"The user keeps a {trait} {thing} beside the house, number {number}",
        type=MemoryType.SEMANTIC,
        scope=Scope(tenant=TENANT, user_id=f"flood {number // PER_USER}"),
        created_at=now,
        updated_at=now,
        valid_from=now,
        embedder_id=embedder,
    )


if __name__ == "__main__":
    asyncio.run(fill(Path(sys.argv[1]), int(sys.argv[2])))
