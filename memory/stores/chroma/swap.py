"""A collection, and beside it its replacement."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

from ...model.errors import StoreError
from ..shared.noting import note
from ..shared.points import PointStore
from .client import ChromaClient
from .collection import NEXT_SUFFIX, drop, ensure, identity, replace
from .points import ChromaPoints
from .where import Where


class ChromaSwap:
    """A `StoreSwap`: the next one takes the name at the end."""

    def __init__(
        self,
        client: ChromaClient,
        name: str,
        source: PointStore[Where],
        target: PointStore[Where],
        *,
        noted: Callable[[], None],
    ) -> None:
        """`noted` writes down whose vectors the folder holds at the end."""
        self._client = client
        self._noted = noted
        self._name = name
        self.source = source
        self.target = target

    @classmethod
    async def open(
        cls, client: ChromaClient, name: str, folder: Path | None, *, embedder_id: str, dim: int
    ) -> ChromaSwap:
        """Make the target, or go on with the one of an interrupted run. See `open_for_reindex`."""
        held = await identity(client, name)
        if held is None:
            raise StoreError(f"there is no collection {name}: nothing to reindex")
        beside = name + NEXT_SUFFIX
        if await identity(client, beside) not in {None, (embedder_id, dim)}:
            await drop(client, beside)
        await ensure(client, beside, embedder_id, dim)
        source = PointStore(ChromaPoints(client, name, shared=True), dim=held[1])
        target = PointStore(ChromaPoints(client, beside, shared=True), dim=dim)
        noted = partial(note, folder, embedder_id, dim)
        return cls(client, name, source, target, noted=noted)

    async def finish(self) -> None:
        there, wanted = await self.target.count_all(), await self.source.count_all()
        if there < wanted:
            raise StoreError(f"only {there} of {wanted} memories were reindexed: nothing changed")
        await replace(self._client, self._name)
        await asyncio.to_thread(self._noted)

    async def close(self) -> None:
        await self._client.close()
