"""Derives the facts of memories that are written, while requests go on."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from ...model.types import StoredMemory
from .facts import Judge, derived

FEW = 20
"""Up to this many are derived on the loop, 0.3 ms each; more in a thread."""


async def all_derived(
    memories: Sequence[StoredMemory], judge: Judge | None
) -> Sequence[StoredMemory]:
    """The memories with their facts (`derived`); other tasks run between two of a few."""
    if len(memories) > FEW:
        return await asyncio.to_thread(lambda: [derived(memory, judge) for memory in memories])
    made = [derived(memory, judge) for memory in memories[:1]]
    for memory in memories[1:]:
        await asyncio.sleep(0)
        made.append(derived(memory, judge))
    return made
