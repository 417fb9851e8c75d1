"""Who and what memories speak of, for `AsyncMemory.graph`: listed, connected, joined, parted."""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from ..graph import Graph, answering, called, key_of, key_of_kind
from ..model import inputs
from ..model.errors import GRAPH_OFF, GraphError, InvalidInputError, NotFoundError
from ..model.graph import EntityKind, EntityMerge, EntityRelation, KnownEntity
from ..model.types import ACTIVE, OwnerRef, Scope, utc_now
from .graph_results import (
    EntityMergeDict,
    EntityMergeResults,
    GraphCheckDict,
    GraphEntityDict,
    GraphEntityResults,
    JoinedDict,
    PartedDict,
    RebuiltDict,
    RelationDict,
    RelationResults,
    entity_dict,
    merge_dict,
    name_of,
    relation_dict,
)
from .upkeep import checked_count
from .view import TenantView

DEFAULT_ENTITIES = 100
MOST_ENTITIES = 1000
MOST_OFFSET = 1_000_000
MOST_PICTURED = 100
MOST_DRAWN = 500
"""Entities and relations of a picture: more than is read at a glance."""
MAX_NAME_CHARS = 400
ENTITY_TYPES = tuple(kind.value for kind in EntityKind if kind is not EntityKind.THING)
"""What a memory may tell of an entity; of a thing it tells nothing."""
PERSON = "person"
"""Who joined two entities, in the ledger: somebody, by call."""


class EntityGraph:
    """`AsyncMemory.graph`: who and what memories speak of, and how these are connected.

    Methods take ids of a scope as all methods of `AsyncMemory` do. An entity is named by its id, or
    by a name or alias as it is written in the memories of the scope. Only active memories count.

    Raises, from every method: GraphError if the graph is off or does not answer.
    """

    def __init__(self, view: TenantView) -> None:
        self._view = view

    @property
    def is_on(self) -> bool:
        """Whether there is a graph (`graph.enabled`)."""
        return self._view.engine.graph is not None

    async def entities(
        self,
        *,
        name: str | None = None,
        type: str | None = None,  # noqa: A002 - the field's name
        limit: int = DEFAULT_ENTITIES,
        offset: int = 0,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> GraphEntityResults:
        """Who and what the memories of a scope speak of, the most spoken of first.

        With `name` those that are called so, with `type` those that a memory tells to be one:
        `person`, `organization`, `place` or `event`. At most `limit` (1 to 1000), after the first
        `offset`.
        """
        scope = self._view.scope(user_id, agent_id, run_id)
        kind = None if type is None else checked_entity_type(type)
        most, after = _page(limit, offset)
        said = None if name is None else check_entity_name("name", name)
        with self._answering() as graph:
            key = None if said is None else key_of(graph, said)
            await graph.caught_up()
            found = await graph.store.entities(
                scope, name=key, also=kind, limit=most + 1, offset=after
            )
        return GraphEntityResults(
            results=[entity_dict(one) for one in found[:most]], more=len(found) > most
        )

    async def get(
        self,
        name: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> GraphEntityResults:
        """The entity with the id `name`, or all that are called so. Raises NotFoundError.

        If nobody is, those whose name begins, or else ends, with this word.
        """
        scope = self._view.scope(user_id, agent_id, run_id)
        found = await self._existing(scope, "name", name, by_part=True)
        return GraphEntityResults(results=[entity_dict(one) for one in found], more=False)

    async def relations(
        self,
        name: str,
        *,
        relation: str | None = None,
        limit: int = DEFAULT_ENTITIES,
        offset: int = 0,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> RelationResults:
        """How the entity with this id or `name` is connected, each with the memory that says so.

        If several are called so, the relations of all; the ids tell them apart. With `relation`
        only those of this name. At most `limit` (1 to 1000), after the first `offset`; what a
        memory said that does not hold any more is left out. Raises NotFoundError.
        """
        scope = self._view.scope(user_id, agent_id, run_id)
        most, after = _page(limit, offset)
        found = await self._existing(scope, "name", name, by_part=True)
        with self._answering() as graph:
            said = await graph.store.relations(
                scope,
                [one.entity.id for one in found],
                relation=_checked_relation(relation),
                limit=most + 1,
                offset=after,
            )
            ends = {end for one in said[:most] for end in (one.source, one.target)}
            names = await graph.store.entities(scope, ids=ends, limit=len(ends)) if ends else []
        return RelationResults(
            results=await self._told(scope, said[:most], names), more=len(said) > most
        )

    async def merge(
        self,
        entity: str,
        same_as: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> JoinedDict:
        """Say that `entity` and `same_as` are one and the same; `undo` parts them again.

        Memories are not changed. A name that several are called by is refused: InvalidInputError
        tells their ids. Raises NotFoundError.
        """
        scope = self._view.scope(user_id, agent_id, run_id)
        one = await self._only(scope, "entity", entity)
        other = await self._only(scope, "same_as", same_as)
        if one.entity.owner != other.entity.owner:
            raise InvalidInputError("same_as", "is of another owner's memories than entity")
        entry = EntityMerge(
            id=uuid.uuid4().hex, owner=one.entity.owner, kept=one.entity.id, gone=other.entity.id,
            at=utc_now(), by=PERSON,
        )  # fmt: skip
        with self._answering() as graph:
            new = one.entity.id != other.entity.id and await graph.store.merge(entry)
            if new:
                graph.changed()
        [joined, *_] = await self._existing(scope, "entity", one.entity.id)
        result = JoinedDict(entity=entity_dict(joined), already=not new)
        if new:
            [result["merge"]] = await self._entries(scope, [entry])
        return result

    async def merges(
        self,
        *,
        limit: int = DEFAULT_ENTITIES,
        offset: int = 0,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> EntityMergeResults:
        """Which entities of a scope, or of all that the program owns, are one; newest first.

        With what was undone. At most `limit` (1 to 1000), after the first `offset`.
        """
        owner_ref = self._view.owner_ref(user_id, agent_id, run_id)
        most, after = _page(limit, offset)
        with self._answering() as graph:
            found = await graph.store.merges(owner_ref, limit=most + 1, offset=after)
        return EntityMergeResults(
            results=await self._entries(owner_ref, found[:most]), more=len(found) > most
        )

    async def undo(
        self,
        merge_id: str,
        *,
        user_id: str | None = None,
        agent_id: str | None = None,
        run_id: str | None = None,
    ) -> PartedDict:
        """Part two entities again, by the id `merge_id` of the ledger.

        What joined them by itself will not do so again. Raises NotFoundError.
        """
        owner_ref = self._view.owner_ref(user_id, agent_id, run_id)
        check_entity_name("merge_id", merge_id)
        with self._answering() as graph:
            found = await graph.store.merges(owner_ref, ids=[merge_id])
            if not found:
                raise NotFoundError(f"there is no merge {merge_id!r}")
            owner = found[0].owner
            undone = await graph.store.undo_merge(owner.tenant, merge_id, at=utc_now())
            if undone is not None:
                graph.changed()
        [shown] = await self._entries(owner_ref, [undone or found[0]])
        return PartedDict(merge=shown, already=undone is None)

    async def rebuild(
        self, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> RebuiltDict:
        """Read the memories of a scope, or all that the program owns, again from the beginning.

        Who was joined or parted by a person stays so.
        """
        owner_ref = self._view.owner_ref(user_id, agent_id, run_id)
        with self._answering() as graph:
            report = await graph.rebuild(owner_ref)
        return RebuiltDict(
            memories=report.memories,
            entities=report.entities,
            relations=report.relations,
            seconds=round(report.seconds, 3),
        )

    async def check(
        self, *, user_id: str | None = None, agent_id: str | None = None, run_id: str | None = None
    ) -> GraphCheckDict:
        """What the graph of a scope, or of all that the program owns, holds; changes nothing."""
        owner_ref = self._view.owner_ref(user_id, agent_id, run_id)
        with self._answering() as graph:
            counts = await graph.store.counts(owner_ref)
        return GraphCheckDict(
            entities=counts["entities"],
            mentions=counts["mentions"],
            relations=counts["relations"],
            merges=counts["merges"],
            marks=counts["marks"],
            orphans=counts["orphans"],
            stale=counts["stale"],
        )

    @contextmanager
    def _answering(self) -> Iterator[Graph]:
        """The graph. Raises GraphError if it is off, or fails within the block."""
        graph = self._view.engine.graph
        if graph is None:
            raise GraphError(GRAPH_OFF)
        with answering():
            yield graph

    async def pictured(self, scope: Scope) -> tuple[list[GraphEntityDict], list[RelationDict]]:
        """Whom the memories of a scope speak of most, and the relations among these."""
        with self._answering() as graph:
            await graph.caught_up()
            found = await graph.store.entities(scope, limit=MOST_PICTURED)
            ids = [one.entity.id for one in found]
            said = await graph.store.relations(scope, ids, limit=MOST_DRAWN) if ids else []
        return [entity_dict(one) for one in found], await self._told(scope, said, found)

    async def _existing(
        self, scope: Scope, field: str, name: object, *, by_part: bool = False
    ) -> Sequence[KnownEntity]:
        """The entity with this id, or those that are called so. Raises NotFoundError."""
        said = check_entity_name(field, name)
        with self._answering() as graph:
            await graph.caught_up()
            found = await called(graph, scope, said, by_part=by_part)
        if not found:
            raise NotFoundError(f"{field}: no memory speaks of {said[:60]!r}")
        return found

    async def _only(self, scope: Scope, field: str, name: object) -> KnownEntity:
        """The one entity that is meant. Raises NotFoundError, and InvalidInputError of several."""
        found = await self._existing(scope, field, name)
        if len(found) > 1:
            ids = ", ".join(one.entity.id for one in found[:5])
            raise InvalidInputError(
                field, f"{len(found)} are called {str(name)[:60]!r}: name one by its id ({ids})"
            )
        return found[0]

    async def _told(
        self, scope: Scope, said: Sequence[EntityRelation], ends: Sequence[KnownEntity]
    ) -> list[RelationDict]:
        """The relations with names and quotes, without those of memories that do not hold."""
        store = self._view.engine.parts.store
        items = await store.get(scope.tenant, sorted({one.memory_id for one in said}))
        texts = {
            item.id: item.text
            for item in items
            if item.status in ACTIVE and scope.admits(item.scope)
        }
        names = {one.entity.id: name_of(one) for one in ends}
        return [
            relation_dict(one, names, one.quote or texts[one.memory_id])
            for one in said
            if one.memory_id in texts and {one.source, one.target} <= names.keys()
        ]

    async def _entries(
        self, owner_ref: OwnerRef, merges: Sequence[EntityMerge]
    ) -> list[EntityMergeDict]:
        """Entries of the ledger with the names that memories of the scope use."""
        sides = {side for one in merges for side in (one.kept, one.gone)}
        if not sides:
            return []
        with self._answering() as graph:
            found = await graph.store.entities(owner_ref, ids=sides, apart=True, limit=len(sides))
        names = {one.entity.id: name_of(one) for one in found}
        return [merge_dict(one, names) for one in merges]


def check_entity_name(field: str, name: object) -> str:
    """A name or an id. Raises InvalidInputError."""
    if not isinstance(name, str) or not name.strip():
        raise InvalidInputError(field, "expected a name or an id")
    if len(name) > MAX_NAME_CHARS:
        raise InvalidInputError(field, f"must have at most {MAX_NAME_CHARS} characters")
    inputs.check_unicode(field, name)
    return name


def checked_entity_type(kind: object) -> str:
    """The key of a kind that a memory may tell. Raises InvalidInputError."""
    if isinstance(kind, str) and kind in ENTITY_TYPES:
        return key_of_kind(EntityKind(kind))
    raise InvalidInputError("type", f"expected one of {', '.join(ENTITY_TYPES)}")


def _checked_relation(relation: object) -> str | None:
    if relation is None:
        return None
    return check_entity_name("relation", relation)


def _page(limit: object, offset: object) -> tuple[int, int]:
    most = checked_count("limit", limit, 1, MOST_ENTITIES)
    return most, checked_count("offset", offset, 0, MOST_OFFSET)
