"""Siblings of a test: their meshes listen on the loop of the test, over the sockets of processes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from recollect.memory.util.sibling_messages import Mesh
from recollect.memory.util.siblings import Sibling


@asynccontextmanager
async def listening(mesh: Mesh, *speakers: Mesh) -> AsyncIterator[Mesh]:
    """It hears the others within the block; those that speak hang up at its end."""
    task = asyncio.ensure_future(mesh.listen())
    try:
        await mesh.up.wait()
        yield mesh
    finally:
        for each in speakers:
            each.close()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def meshes(folder: Path, count: int = 2) -> list[Mesh]:
    return [Mesh(Sibling(folder, number, count)) for number in range(count)]
