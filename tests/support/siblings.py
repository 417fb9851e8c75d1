"""Siblings of a test: their meshes listen on the loop of the test, over the sockets of processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from recollect.memory.util.sibling_messages import SiblingMessages
from recollect.memory.util.siblings import Sibling


@asynccontextmanager
async def listening(
    sibling_messages: SiblingMessages, *speakers: SiblingMessages
) -> AsyncIterator[SiblingMessages]:
    """It hears the others within the block; those that speak hang up at its end."""
    task = asyncio.ensure_future(sibling_messages.listen())
    try:
        await sibling_messages.up.wait()
        yield sibling_messages
    finally:
        for each in speakers:
            each.close()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def meshes(folder: Path, count: int = 2) -> list[SiblingMessages]:
    return [SiblingMessages(Sibling(folder, number, count)) for number in range(count)]
