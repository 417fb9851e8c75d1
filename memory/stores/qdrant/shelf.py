"""The collections of a Qdrant: what an alias leads to, and what a reindex left beside it."""

from __future__ import annotations

import re

from ...model.errors import StoreMismatchError
from ...model.kept import CollectionPart
from ..shared.keeping import Labelled
from .client import Client
from .collection import QdrantAlias
from .points import QdrantPoints

_NUMBERED = re.compile(r"(.+)_(\d+)")


class QdrantShelf:
    """A `Shelf`. A collection that an alias leads to is listed by the name of the alias."""

    def __init__(self, client: Client, used: str) -> None:
        self._client = client
        self._used = used

    async def labels(self) -> dict[str, Labelled]:
        led = await self._led()
        found = await self._client.call("get_collections")
        beside = {one.name for one in found.collections} - set(led.values())
        parts = {name: _part(name, led) for name in beside}
        parts |= {
            name: CollectionPart.USED if name == self._used else CollectionPart.OTHER
            for name in led
        }
        labels = {name: await self._label(name, parts[name]) for name in parts}
        return {name: label for name, label in labels.items() if label is not None}

    async def count(self, name: str) -> int:
        return await QdrantPoints(self._client, name, shared=True).count(None)

    async def make(self, name: str, embedder_id: str, dim: int) -> None:
        alias = QdrantAlias(self._client, name)
        await alias.current()  # raises if a collection has the name itself
        await alias.make(f"{name}_1", embedder_id, dim)
        await alias.lead_to(f"{name}_1")

    async def remove(self, name: str, part: CollectionPart) -> None:
        """Qdrant removes the alias with the collection."""
        del part
        led = await self._led()
        await QdrantAlias(self._client, name).drop(led.get(name, name))

    async def close(self) -> None:
        await self._client.close()

    async def _led(self) -> dict[str, str]:
        found = await self._client.call("get_aliases")
        return {str(one.alias_name): str(one.collection_name) for one in found.aliases}

    async def _label(self, name: str, part: CollectionPart) -> Labelled | None:
        try:
            return Labelled(*await QdrantAlias(self._client, name).identity(name), part)
        except StoreMismatchError:
            return None


def _part(name: str, led: dict[str, str]) -> CollectionPart:
    """What a collection is for that no alias leads to. Pure."""
    numbered = _NUMBERED.fullmatch(name)
    if numbered is None or numbered[1] not in led:
        return CollectionPart.OTHER
    now = _NUMBERED.fullmatch(led[numbered[1]])
    is_older = now is not None and int(numbered[2]) < int(now[2])
    return CollectionPart.REPLACED if is_older else CollectionPart.TARGET
