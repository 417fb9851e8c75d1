"""The collections of a server or a folder of memories, for whoever looks after it."""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class CollectionPart(StrEnum):
    """What a collection is for."""

    USED = "used"
    """The one that `store.collection` names."""
    OTHER = "other"
    """One of Recollect under another name."""
    TARGET = "reindex"
    """New vectors of a reindex that did not end: `recollect reindex` goes on with them."""
    REPLACED = "replaced"
    """What a reindex replaced and could not remove any more."""


@dataclass(frozen=True, slots=True)
class KeptCollection:
    """A collection that Recollect made."""

    name: str
    embedder_id: str
    """Whose vectors it holds."""
    dim: int
    """Their numbers."""
    memories: int
    """Those of every tenant and status, with earlier versions."""
    part: CollectionPart


class Collections(Protocol):
    """The collections of one server or folder that Recollect made; no other is read or removed.

    For operators: no tenant bounds it. All methods raise StoreError.
    """

    async def list(self) -> builtins.list[KeptCollection]:
        """All of them, by name. Changes nothing, and finishes no reindex."""

    async def info(self, name: str) -> KeptCollection:
        """One of them. Raises StoreError if Recollect made none of this name."""

    async def create(self, name: str, embedder_id: str, dim: int) -> None:
        """Make an empty one, as the first start with this `store.collection` does.

        Raises:
            StoreError: there is a collection of this name.
            InvalidInputError: the store takes no such name, or these dimensions are none.
        """

    async def delete(self, name: str) -> None:
        """Remove one with all that it holds, for good. Nobody may be using it.

        Raises StoreError if Recollect made none of this name.
        """

    async def close(self) -> None:
        """Release the connection, and an embedded store for others."""
