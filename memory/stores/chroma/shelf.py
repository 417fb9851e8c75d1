"""The collections of a Chroma."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.kept import CollectionPart
from ..shared.keeping import Labelled, part_of
from . import collection
from .client import ChromaClient

if TYPE_CHECKING:
    from chromadb.api import ClientAPI

_SUFFIXES = {
    collection.NEXT_SUFFIX: CollectionPart.TARGET,
    collection.OLD_SUFFIX: CollectionPart.REPLACED,
}


class ChromaShelf:
    """A `Shelf`."""

    def __init__(self, client: ChromaClient, used: str) -> None:
        self._client = client
        self._used = used

    async def labels(self) -> dict[str, Labelled]:
        found = await self._client.call("list", collection.identities)
        return {
            name: Labelled(*held, part_of(name, self._used, _SUFFIXES))
            for name, held in found.items()
        }

    async def count(self, name: str) -> int:
        def run(client: ClientAPI) -> int:
            return int(client.get_collection(name, embedding_function=None).count())

        return await self._client.call("count", run)

    async def make(self, name: str, embedder_id: str, dim: int) -> None:
        await collection.ensure(self._client, name, embedder_id, dim)

    async def remove(self, name: str, part: CollectionPart) -> None:
        del part
        await collection.drop(self._client, name)

    async def close(self) -> None:
        await self._client.close()
