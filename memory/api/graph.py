"""Who and what memories speak of, for `AsyncMemory.graph`: listed, connected, joined, parted."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Annotated, Literal, Unpack, cast

from ..graph import called, key_of, key_of_kind
from ..model import inputs
from ..model.errors import InvalidInputError, NotFoundError
from ..model.graph import EntityKind, EntityMerge, KnownEntity
from ..model.types import OwnerRef, Scope, utc_now
from ..operations.common import OptionalText
from ..operations.declaring import As, Named, field, operation
from ..operations.fields import TEXT
from ..operations.rights import Right
from ..operations.scope import ScopeIds
from .graph_exporting import ALL, TAG, GraphExporter, LeftOut, Most
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
)
from .showing import shown_as

DEFAULT_ENTITIES = 100
MOST_PICTURED = 100
MOST_DRAWN = 500
"""Entities and relations of a picture: more than is read at a glance."""
MAX_NAME_CHARS = 400
ENTITY_TYPES = tuple(kind.value for kind in EntityKind if kind is not EntityKind.THING)
"""What a memory may tell of an entity; of a thing it tells nothing."""
_ONE = ALL + "/{entity}"
"""A segment that may be a name out of memories: a text of the user, not only an id."""
_MERGES = f"{ALL}/merges"
EntityType = Literal["person", "organization", "place", "event", "concept", "technology", "product"]
EntityName = Annotated[str, Named("entity"), field("A name, an alias or an id.")]
CalledSo = Annotated[str | None, OptionalText, field("Only those that memories call so.")]
OfType = Annotated[str | None, As(EntityType | None), field("Only these.")]
_CHECKED = tuple(GraphCheckDict.__annotations__)
PERSON = "person"
"""Who joined two entities, in the ledger: somebody, by call."""


class EntityGraph(GraphExporter):
    """`AsyncMemory.graph`: who and what memories speak of, and how these are connected.

    Methods take ids of a scope as all methods of `AsyncMemory` do. An entity is named by its id, or
    by a name or alias as it is written in the memories of the scope. Only active memories count.

    Raises, from every method: GraphError if the graph is off or does not answer.
    """

    @property
    def is_on(self) -> bool:
        """Whether there is a graph (`graph.enabled`)."""
        return self._view.engine.graph is not None

    @operation(f"POST {ALL}", id="find_entities", tag=TAG, ids_twice=True)
    @operation(
        f"GET {ALL}",
        id="list_entities",
        tag=TAG,
        summary="Who and what the memories of a scope speak of; without a scope, mem0's list of "
        "users",
    )
    async def entities(
        self,
        *,
        name: CalledSo = None,
        type: OfType = None,  # noqa: A002 - the field's name
        limit: Most = DEFAULT_ENTITIES,
        offset: LeftOut = 0,
        **ids: Unpack[ScopeIds],
    ) -> GraphEntityResults:
        """Who and what the memories of a scope speak of, the most spoken of first.

        With `name` those that are called so, with `type` those that a memory tells to be one:
        `person`, `organization`, `place`, `event`, `concept`, `technology` or `product`. At most
        `limit` (1 to 1000), after the first `offset`.
        """
        scope = self._view.scope(**ids)
        kind = None if type is None else checked_entity_type(type)
        said = None if name is None else check_entity_name("name", name)
        with self._answering() as graph:
            key = None if said is None else key_of(graph, said)
            await graph.caught_up()
            found = await graph.store.entities(
                scope, name=key, also=kind, limit=limit + 1, offset=offset
            )
        return GraphEntityResults(
            results=[entity_dict(one) for one in found[:limit]], more=len(found) > limit
        )

    @operation(f"GET {_ONE}", id="get_entity", tag=TAG)
    async def get(
        self,
        name: EntityName,
        **ids: Unpack[ScopeIds],
    ) -> GraphEntityResults:
        """The entity with this id, or all that are called so. Raises NotFoundError.

        If nobody is called `name`, those whose name begins, or else ends, with this word.
        """
        scope = self._view.scope(**ids)
        found = await self._existing(scope, "name", name, by_part=True)
        return GraphEntityResults(results=[entity_dict(one) for one in found], more=False)

    @operation(f"GET {_ONE}/relations", id="entity_relations", tag=TAG)
    async def relations(
        self,
        name: EntityName,
        *,
        relation: Annotated[
            str | None, OptionalText, field("Only relations of this name, such as `works_at`.")
        ] = None,
        limit: Most = DEFAULT_ENTITIES,
        offset: LeftOut = 0,
        **ids: Unpack[ScopeIds],
    ) -> RelationResults:
        """How an entity is connected, each with the memory that says so.

        If several are called `name`, the relations of all; the ids tell them apart. With `relation`
        only those of this name. At most `limit` (1 to 1000), after the first `offset`; what a
        memory said that does not hold any more is left out. Raises NotFoundError.
        """
        scope = self._view.scope(**ids)
        found = await self._existing(scope, "name", name, by_part=True)
        with self._answering() as graph:
            said = await graph.store.relations(
                scope,
                [one.entity.id for one in found],
                relation=None if relation is None else check_entity_name("relation", relation),
                limit=limit + 1,
                offset=offset,
            )
            ends = {end for one in said[:limit] for end in (one.source, one.target)}
            names = await graph.store.entities(scope, ids=ends, limit=len(ends)) if ends else []
        return RelationResults(
            results=await self._told(scope, said[:limit], names), more=len(said) > limit
        )

    @operation(f"POST {_MERGES}", Right.WRITE, id="merge_entities", tag=TAG)
    async def merge(
        self,
        entity: Annotated[str, TEXT, field("One of them.", title="a name or an id")],
        same_as: Annotated[str, TEXT, field("The other.", title="a name or an id")],
        **ids: Unpack[ScopeIds],
    ) -> JoinedDict:
        """Say that two entities are one; no memory is changed.

        `entity` and `same_as` are the same from now on; `undo` parts them again. A name that
        several are called by is refused: InvalidInputError tells their ids. Raises NotFoundError.
        """
        scope = self._view.scope(**ids)
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

    @operation(f"GET {_MERGES}", id="list_entity_merges", tag=TAG)
    async def merges(
        self,
        *,
        limit: Most = DEFAULT_ENTITIES,
        offset: LeftOut = 0,
        **ids: Unpack[ScopeIds],
    ) -> EntityMergeResults:
        """Which entities of a scope, or of all that the caller owns, are one, newest first.

        With what was undone. At most `limit` (1 to 1000), after the first `offset`.
        """
        owner_ref = self._view.owner_ref(**ids)
        with self._answering() as graph:
            found = await graph.store.merges(owner_ref, limit=limit + 1, offset=offset)
        return EntityMergeResults(
            results=await self._entries(owner_ref, found[:limit]), more=len(found) > limit
        )

    @operation(
        f"POST {_MERGES}/{{merge_id}}/undo",
        Right.WRITE,
        id="undo_entity_merge",
        tag=TAG,
        ids_twice=True,
    )
    async def undo(
        self,
        merge_id: Annotated[str, field("Its id in the ledger.")],
        **ids: Unpack[ScopeIds],
    ) -> PartedDict:
        """Part two entities again.

        `merge_id` is an id of the ledger. What joined them by itself will not do so again. Raises
        NotFoundError.
        """
        owner_ref = self._view.owner_ref(**ids)
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

    @operation(f"POST {ALL}/rebuild", Right.WRITE, id="rebuild_graph", tag=TAG, ids_twice=True)
    async def rebuild(
        self,
        **ids: Unpack[ScopeIds],
    ) -> RebuiltDict:
        """Read the memories of a scope, or of all that the caller owns, again.

        From the beginning. Who was joined or parted by a person stays so.
        """
        owner_ref = self._view.owner_ref(**ids)
        with self._answering() as graph:
            report = await graph.rebuild(owner_ref)
        return shown_as(RebuiltDict, report, seconds=round(report.seconds, 3))

    @operation(f"GET {ALL}/check", id="check_graph", tag=TAG)
    async def check(
        self,
        **ids: Unpack[ScopeIds],
    ) -> GraphCheckDict:
        """What the graph of a scope, or of all that the caller owns, holds, and what is wrong.

        Changes nothing.
        """
        owner_ref = self._view.owner_ref(**ids)
        with self._answering() as graph:
            counts = await graph.store.counts(owner_ref)
        return cast(
            "GraphCheckDict", {name: counts[name] for name in GraphCheckDict.__annotations__}
        )

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
