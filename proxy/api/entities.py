"""The routes of the graph: who and what memories speak of; and who has memories.

`GET /v1/entities` was mem0's list of users, agents and runs before there was a graph. It still is
for a request that names no scope; one that does gets the entities of that scope.
"""

from __future__ import annotations

from typing import Any, Literal

from typing_extensions import TypedDict

from recollect.memory import InvalidInputError
from recollect.memory.api.graph import DEFAULT_ENTITIES, MOST_ENTITIES, MOST_OFFSET
from recollect.memory.api.graph_results import (
    EntityMergeResults,
    GraphCheckDict,
    GraphEntityResults,
    JoinedDict,
    PartedDict,
    RebuiltDict,
    RelationResults,
)
from recollect.memory.api.users import EntityDict
from recollect.memory.operations.fields import RequestModel, Text, about, needed, whole
from recollect.memory.operations.scope import ScopeFields

from ..access.rights import Right
from .mem0.fields import ProjectFields
from .mem0.models import EntitiesQuery
from .mem0.shapes import EntityPage, entity_row, page_urls
from .operations import PREFIX, endpoint, operations_of
from .request import NAME, ApiRequest

ENTITIES = "/v1/entities"
TAG = "entities"
_OF_ONE = f"{ENTITIES}/{{{NAME}}}"
_MERGES = f"{ENTITIES}/merges"
_WHICH = ("name", "type", "limit", "offset")
_PAGED = {"page": 1, "page_size": None}
"""What only the list of users takes, and what stands there if nothing is said."""
EntityType = Literal["person", "organization", "place", "event"]


class UserResults(TypedDict):
    """Users, agents and runs, by kind and name."""

    results: list[EntityDict]


class GraphPageFields(RequestModel):
    """Which page."""

    limit: int = whole("Most results.", high=MOST_ENTITIES, default=DEFAULT_ENTITIES)
    offset: int = about("Leave out so many of the first.", default=0, ge=0, le=MOST_OFFSET)


class WhichEntitiesFields(RequestModel):
    """Which of the entities of a scope."""

    name: Text | None = about("Only those that memories call so.")
    type: EntityType | None = about("Only these.")


class GraphEntitiesBody(WhichEntitiesFields, GraphPageFields, ScopeFields):
    """Of who and what memories speak of."""


class AnyEntitiesQuery(EntitiesQuery, WhichEntitiesFields, ScopeFields):
    """Of entities of a scope; without a scope, of users, agents and runs as mem0 lists them."""

    limit: int | None = whole("Most results.", high=MOST_ENTITIES, default=None)
    offset: int | None = about("Leave out so many of the first.", ge=0, le=MOST_OFFSET)


class RelationsQuery(GraphPageFields, ScopeFields):
    """Of relations."""

    relation: Text | None = about("Only relations of this name, such as `works_at`.")


class MergesQuery(GraphPageFields, ScopeFields):
    """Of the ledger."""


class JoinBody(ScopeFields):
    """Two entities that are one, by name, alias or id."""

    entity: Text = needed("One of them.", title="a name or an id")
    same_as: Text = needed("The other.", title="a name or an id")


class EntityApi:
    """The handlers of `ENTITY_OPERATIONS`."""

    @endpoint("GET", f"{PREFIX}/users", UserResults, query=ProjectFields, tag=TAG)
    async def list_users(self, request: ApiRequest) -> Any:
        """The users, agents and runs that have memories."""
        return {"results": await request.memory.users()}

    @endpoint("GET", ENTITIES, GraphEntityResults | EntityPage, query=AnyEntitiesQuery, tag=TAG)
    async def list_entities(self, request: ApiRequest) -> Any:
        """Who and what the memories of a scope speak of; without a scope, mem0's list of users.

        mem0's list is all of them, or a page: clients that remove all read no further page.
        """
        values = request.values
        said = {name: values[name] for name in _WHICH if values[name] is not None}
        paged = [name for name, usual in _PAGED.items() if values[name] != usual]
        if not said and not any(request.ids.values()):
            return await _users_page(request)
        if paged:
            raise InvalidInputError(paged[0], "entities of a scope take limit and offset")
        return await request.memory.entities(**request.ids, **said)

    @endpoint(
        "POST", ENTITIES, GraphEntityResults, query=ScopeFields, body=GraphEntitiesBody, tag=TAG
    )
    async def find_entities(self, request: ApiRequest) -> Any:
        """Who and what the memories of a scope speak of, the most spoken of first."""
        return await request.memory.entities(**request.ids, **request.values.only(*_WHICH))

    @endpoint("GET", _OF_ONE, GraphEntityResults, query=ScopeFields, tag=TAG)
    async def get_entity(self, request: ApiRequest) -> Any:
        """The entity with an id, or all that the memories of a scope call by a name."""
        return await request.memory.graph.get(request.values[NAME], **request.ids)

    @endpoint("GET", f"{_OF_ONE}/relations", RelationResults, query=RelationsQuery, tag=TAG)
    async def entity_relations(self, request: ApiRequest) -> Any:
        """How an entity is connected, each with the memory that says so."""
        asked = request.values.only("relation", "limit", "offset")
        return await request.memory.relations(request.values[NAME], **asked, **request.ids)

    @endpoint("GET", _MERGES, EntityMergeResults, query=MergesQuery, tag=TAG)
    async def list_entity_merges(self, request: ApiRequest) -> Any:
        """Which entities of a scope, or of all that the caller owns, are one, newest first."""
        asked = request.values.only("limit", "offset")
        return await request.memory.graph.merges(**asked, **request.ids)

    @endpoint("POST", _MERGES, JoinedDict, Right.WRITE, body=JoinBody, tag=TAG)
    async def merge_entities(self, request: ApiRequest) -> Any:
        """Say that two entities are one; no memory is changed."""
        asked = request.values.only("entity", "same_as")
        return await request.memory.graph.merge(**asked, **request.ids)

    @endpoint(
        "POST", f"{_MERGES}/{{merge_id}}/undo", PartedDict, Right.WRITE, query=ScopeFields,
        body=ScopeFields, tag=TAG,
    )  # fmt: skip
    async def undo_entity_merge(self, request: ApiRequest) -> Any:
        """Part two entities again."""
        return await request.memory.graph.undo(request.values["merge_id"], **request.ids)

    @endpoint("GET", f"{ENTITIES}/check", GraphCheckDict, query=ScopeFields, tag=TAG)
    async def check_graph(self, request: ApiRequest) -> Any:
        """What the graph of a scope, or of all that the caller owns, holds, and what is wrong."""
        return await request.memory.graph.check(**request.ids)

    @endpoint(
        "POST", f"{ENTITIES}/rebuild", RebuiltDict, Right.WRITE, query=ScopeFields,
        body=ScopeFields, tag=TAG,
    )  # fmt: skip
    async def rebuild_graph(self, request: ApiRequest) -> Any:
        """Read the memories of a scope, or of all that the caller owns, again."""
        return await request.memory.graph.rebuild(**request.ids)


async def _users_page(request: ApiRequest) -> dict[str, Any]:
    """Users, agents and runs as mem0's clients read them."""
    every = [entity_row(one) for one in await request.memory.users()]
    size = request.values["page_size"] or max(1, len(every))
    page = request.values["page"]
    return {
        "count": len(every),
        **page_urls(request.http.url, page, size, len(every)),
        "results": every[(page - 1) * size : page * size],
    }


ENTITY_OPERATIONS = operations_of(EntityApi)
