"""The graph for other databases: as Cypher, in parts or in a file, for `AsyncMemory.graph`."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Unpack

from ..graph import Graph, answering
from ..model.errors import GRAPH_OFF, GraphError
from ..model.graph import EntityRelation, KnownEntity
from ..model.owner import covers, owning_tenant
from ..model.types import ACTIVE, OwnerRef
from ..operations.declaring import field, operation
from ..operations.scope import ScopeIds
from ..operations.signatures import takes_ids
from .cypher import HEAD, statements
from .files import write_file
from .graph_results import (
    GraphExportDict,
    GraphFileDict,
    RelationDict,
    entity_dict,
    name_of,
    relation_dict,
)
from .view import TenantView

MOST_ENTITIES = 1000
MOST_OFFSET = 1_000_000
ALL = "/v1/entities"
TAG = "entities"
Most = Annotated[int, field("Most results.", high=MOST_ENTITIES)]
LeftOut = Annotated[int, field("Leave out so many of the first.", ge=0, le=MOST_OFFSET)]


class GraphExporter:
    """The part of `EntityGraph` that exports, with what the others of it need."""

    def __init__(self, view: TenantView) -> None:
        self._view = view

    @operation(f"GET {ALL}/export", id="export_graph", tag=TAG)
    async def export(
        self,
        *,
        limit: Most = MOST_ENTITIES,
        offset: LeftOut = 0,
        **ids: Unpack[ScopeIds],
    ) -> GraphExportDict:
        """The graph as Cypher, which Neo4j runs.

        That of a scope, or of all that the caller owns: at most `limit` (1 to 1000) entities, after
        the first `offset`, each with the relations that begin at it. Nodes `Entity` have the fields
        of `entities`, with `id` as their key; edges `RELATES_TO` have `type`, `memory_id` and
        `quote`. Running it again changes nothing.
        """
        owner_ref = self._view.owner_ref(**ids)
        with self._answering() as graph:
            await graph.caught_up()
            found = await graph.store.entities(owner_ref, limit=limit + 1, offset=offset)
            page = found[:limit]
            said = [one async for one in _beginning_at(graph, owner_ref, page)]
            ends = {one.target for one in said} - {one.entity.id for one in page}
            others = (
                await graph.store.entities(owner_ref, ids=ends, limit=len(ends)) if ends else []
            )
        relations = await self._told(owner_ref, said, [*page, *others])
        return GraphExportDict(
            cypher=statements(map(entity_dict, page), relations),
            entities=len(page), relations=len(relations), more=len(found) > limit,
        )  # fmt: skip

    @takes_ids
    async def export_file(
        self, path: str | os.PathLike[str], **ids: Unpack[ScopeIds]
    ) -> GraphFileDict:
        """Write the whole of `export` to a file for `cypher-shell`; only its owner can read it.

        `path` gets the file once it is whole. Raises OSError if it cannot be written, or leads over
        a link or to a file of another user.
        """
        done = GraphFileDict(entities=0, relations=0, bytes=0)

        async def pages() -> AsyncIterator[bytes]:
            yield HEAD.encode()
            more = True
            while more:
                page = await self.export(offset=done["entities"], **ids)
                done["entities"] += page["entities"]
                done["relations"] += page["relations"]
                more = page["more"]
                yield page["cypher"].encode()

        written = await write_file(path, pages())
        return {**done, "bytes": written["bytes"]}

    @contextmanager
    def _answering(self) -> Iterator[Graph]:
        """The graph. Raises GraphError if it is off, or fails within the block."""
        graph = self._view.engine.graph
        if graph is None:
            raise GraphError(GRAPH_OFF)
        with answering():
            yield graph

    async def _told(
        self, owner_ref: OwnerRef, said: Sequence[EntityRelation], ends: Sequence[KnownEntity]
    ) -> list[RelationDict]:
        """The relations with names and quotes, without those of memories that do not hold."""
        store, tenant = self._view.engine.parts.store, owning_tenant(owner_ref)
        items = await store.get(tenant, sorted({one.memory_id for one in said}))
        texts = {
            item.id: item.text
            for item in items
            if item.status in ACTIVE and covers(owner_ref, item.scope)
        }
        names = {one.entity.id: name_of(one) for one in ends}
        return [
            relation_dict(one, names, one.quote or texts[one.memory_id])
            for one in said
            if one.memory_id in texts and {one.source, one.target} <= names.keys()
        ]


async def _beginning_at(
    graph: Graph, owner_ref: OwnerRef, page: Sequence[KnownEntity]
) -> AsyncIterator[EntityRelation]:
    """The relations whose sources are these, some at a time."""
    ids, offset = {one.entity.id for one in page}, 0
    while ids:
        some = await graph.store.relations(owner_ref, ids, limit=MOST_ENTITIES, offset=offset)
        for one in some:
            if one.source in ids:
                yield one
        offset += len(some)
        if len(some) < MOST_ENTITIES:
            return
