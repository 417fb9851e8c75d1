"""The collections of a Milvus."""

from __future__ import annotations

from typing import Any

from ...model.errors import StoreMismatchError
from ...model.kept import CollectionPart
from ...model.ports import Analyzer
from ..shared.keeping import Labelled, part_of
from .collection import described_identity, prepare, reopen
from .connection import Connection
from .replacing import DropCollection, beside, replaced, take
from .store import MilvusStore

_SUFFIXES = {beside(""): CollectionPart.TARGET, replaced(""): CollectionPart.REPLACED}


class MilvusShelf:
    """A `Shelf`."""

    def __init__(self, connection: Connection, terms: Analyzer | None) -> None:
        self._connection = connection
        self._terms = terms

    async def labels(self) -> dict[str, Labelled]:
        names = await self._connection.raw_call("list_collections")
        said = {name: await self._described(name) for name in names}
        found = {name: _label(name, one, self._connection.collection) for name, one in said.items()}
        return {name: label for name, label in found.items() if label is not None}

    async def count(self, name: str) -> int:
        """A server counts only what it has loaded: what was not in use is released again."""
        connection = self._connection.sharing(name)
        was_idle = await _is_idle(connection)
        opened, dim = await reopen(connection)
        store = MilvusStore(connection, opened, dim=dim)
        try:
            return await store.count_all()
        finally:
            if was_idle and not opened.dialect.embedded:
                await connection.call("release_collection")
            await store.close()

    async def make(self, name: str, embedder_id: str, dim: int) -> None:
        connection = self._connection.sharing(name)
        keywords = self._terms is not None
        try:
            await prepare(connection, embedder_id=embedder_id, dim=dim, keywords=keywords)
        finally:
            await connection.close()

    async def remove(self, name: str, part: CollectionPart) -> None:
        del part
        await take(self._connection, DropCollection(name))

    async def close(self) -> None:
        await self._connection.close()

    async def _described(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = await self._connection.raw_call(
            "describe_collection", collection_name=name
        )
        return found


async def _is_idle(connection: Connection) -> bool:
    """Whether nobody uses it; not while somebody loads it, whose reads a release would end."""
    found = await connection.call("get_load_state")
    return str(getattr(found["state"], "name", found["state"])) in {"NotLoad", "NotExist"}


def _label(name: str, description: dict[str, Any], used: str) -> Labelled | None:
    try:
        return Labelled(*described_identity(description), part_of(name, used, _SUFFIXES))
    except StoreMismatchError:
        return None
