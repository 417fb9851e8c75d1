"""Makes collections, finds them by their alias, and knows whose vectors they hold.

A collection cannot be renamed, so `store.collection` is an alias, and the collections behind it are
numbered. A marker point names the embedder: no version of the server loses it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from qdrant_client import models

from ...model.errors import StoreMismatchError
from ...model.format import FORMAT, NONE, refuse_other
from ..checks import foreign
from ..shared.points import RANK
from .client import Client
from .points import point_id

_MARKER = point_id("recollect: the embedder of this collection")
_EMBEDDER, _DIM, _FORMAT = "embedder", "dim", "format"
_KEYWORDS = ("user_id", "status", "agent_id", "run_id", "type")
_INTEGERS = (RANK, "created_at")


@dataclass(frozen=True, slots=True)
class QdrantAlias:
    """The collections behind an alias."""

    client: Client
    alias: str

    async def current(self) -> str | None:
        """The collection that the alias leads to.

        Raises:
            StoreMismatchError: a collection has the name itself, so it is not ours.
        """
        found = await self.client.call("get_aliases")
        names = {one.alias_name: one.collection_name for one in found.aliases}
        if self.alias in names:
            return str(names[self.alias])
        if self.alias in await self._names():
            raise foreign(f"collection {self.alias}")
        return None

    async def identity(self, name: str) -> tuple[str, int]:
        """Whose vectors a collection holds.

        Raises StoreMismatchError: it is of another format, or not ours.
        """
        found = await self.client.call(
            "retrieve", collection_name=name, ids=[_MARKER], with_payload=True
        )
        said: dict[str, Any] = found[0].payload if found else {}
        if _EMBEDDER not in said:
            raise foreign(f"collection {name}")
        refuse_other(f"the collection {name}", int(said.get(_FORMAT, NONE)), StoreMismatchError)
        return str(said[_EMBEDDER]), int(said[_DIM])

    async def make(self, name: str, embedder_id: str, dim: int) -> None:
        """Make a collection, anew if an interrupted start left a part of it."""
        if name in await self._names():
            await self.drop(name)
        await self.client.call(
            "create_collection",
            collection_name=name,
            # Vectors are normalised before they come: the inner product is the cosine.
            vectors_config=models.VectorParams(size=dim, distance=models.Distance.DOT),
        )
        if not self.client.embedded:
            await self._index(name)
        payload = {_EMBEDDER: embedder_id, _DIM: dim, _FORMAT: FORMAT}
        marker = models.PointStruct(id=_MARKER, vector=[0.0] * dim, payload=payload)
        await self.client.call("upsert", collection_name=name, points=[marker], wait=True)

    async def lead_to(self, name: str) -> None:
        """Let the alias lead to this collection, in one step."""
        actions: list[Any] = []
        if await self.current() is not None:
            gone = models.DeleteAlias(alias_name=self.alias)
            actions.append(models.DeleteAliasOperation(delete_alias=gone))
        made = models.CreateAlias(collection_name=name, alias_name=self.alias)
        actions.append(models.CreateAliasOperation(create_alias=made))
        await self.client.call("update_collection_aliases", change_aliases_operations=actions)

    async def drop(self, name: str) -> None:
        """Remove a collection; none is no error."""
        await self.client.call("delete_collection", collection_name=name)

    async def numbered(self) -> list[str]:
        """The collections that the alias may lead to, by their numbers."""
        ours = re.compile(re.escape(self.alias) + r"_(\d+)")
        found = {name: ours.fullmatch(name) for name in await self._names()}
        return sorted((n for n, m in found.items() if m), key=lambda n: int(n.rpartition("_")[2]))

    async def _names(self) -> set[str]:
        found = await self.client.call("get_collections")
        return {one.name for one in found.collections}

    async def _index(self, name: str) -> None:
        tenant = models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, is_tenant=True)
        kinds: dict[str, Any] = {"tenant": tenant}
        kinds |= dict.fromkeys(_KEYWORDS, models.PayloadSchemaType.KEYWORD)
        kinds |= dict.fromkeys(_INTEGERS, models.PayloadSchemaType.INTEGER)
        for field, kind in kinds.items():
            await self.client.call(
                "create_payload_index",
                collection_name=name,
                field_name=field,
                field_schema=kind,
                wait=True,
            )
