"""A collection, and beside it its replacement."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

from qdrant_client import models

from ...model.errors import StoreError, StoreMismatchError
from ..shared.noting import note
from ..shared.points import PointStore
from .client import Client
from .collection import QdrantAlias
from .points import QdrantPoints


class QdrantSwap:
    """A `StoreSwap`: the next number behind the same alias."""

    def __init__(
        self,
        alias: QdrantAlias,
        old: str,
        source: PointStore[models.Condition],
        new: str,
        target: PointStore[models.Condition],
        *,
        noted: Callable[[], None],
    ) -> None:
        """`noted` writes down whose vectors the folder holds at the end."""
        self._noted = noted
        self._alias = alias
        self._old, self._new = old, new
        self.source = source
        self.target = target

    @classmethod
    async def open(
        cls, client: Client, name: str, folder: Path | None, *, embedder_id: str, dim: int
    ) -> QdrantSwap:
        """Make the target, or go on with the one of an interrupted run. See `open_for_reindex`."""
        alias = QdrantAlias(client, name)
        old = await alias.current()
        if old is None:
            raise StoreError(f"there is no collection {name}: nothing to reindex")
        _, held = await alias.identity(old)
        new = f"{name}_{int(old.rpartition('_')[2]) + 1}"
        await _clear(alias, old, new)
        if new not in await alias.numbered() or not await _is_of(alias, new, embedder_id, dim):
            await alias.make(new, embedder_id, dim)
        source = PointStore(QdrantPoints(client, old, shared=True), dim=held)
        target = PointStore(QdrantPoints(client, new, shared=True), dim=dim)
        noted = partial(note, folder, embedder_id, dim)
        return cls(alias, old, source, new, target, noted=noted)

    async def finish(self) -> None:
        there, wanted = await self.target.count_all(), await self.source.count_all()
        if there < wanted:
            raise StoreError(f"only {there} of {wanted} memories were reindexed: nothing changed")
        await self._alias.lead_to(self._new)
        await asyncio.to_thread(self._noted)
        await self._alias.drop(self._old)

    async def close(self) -> None:
        await self._alias.client.close()


async def _clear(alias: QdrantAlias, old: str, new: str) -> None:
    """Remove what earlier runs left behind: the alias leads to none of it."""
    for name in await alias.numbered():
        if name not in {old, new}:
            await alias.drop(name)


async def _is_of(alias: QdrantAlias, name: str, embedder_id: str, dim: int) -> bool:
    try:
        return await alias.identity(name) == (embedder_id, dim)
    except StoreMismatchError:
        return False
