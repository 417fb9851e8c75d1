"""Who and what memories speak of, and who has memories, by a path that means both.

`GET /v1/entities` was mem0's list of users, agents and runs before there was a graph. It still is
for a request that names no scope; one that does gets the entities of that scope.
"""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from recollect.memory import InvalidInputError
from recollect.memory.api.graph import MOST_ENTITIES, MOST_OFFSET, TAG, EntityType
from recollect.memory.api.graph_results import GraphEntityResults
from recollect.memory.api.users import EntityDict
from recollect.memory.operations.fields import Text, about, whole
from recollect.memory.operations.scope import ScopeFields

from .mem0.fields import ProjectFields
from .mem0.models import EntitiesQuery
from .mem0.shapes import EntityPage, entity_row, page_urls
from .operations import PREFIX, endpoint, operations_of
from .request import ApiRequest

_WHICH = ("name", "type", "limit", "offset")
_PAGED = {"page": 1, "page_size": None}
"""What only the list of users takes, and what stands there if nothing is said."""


class UserResults(TypedDict):
    """Users, agents and runs, by kind and name."""

    results: list[EntityDict]


class AnyEntitiesQuery(EntitiesQuery, ScopeFields):
    """Of entities of a scope; without a scope, of users, agents and runs as mem0 lists them."""

    name: Text | None = about("Only those that memories call so.")
    type: EntityType | None = about("Only these.")
    limit: int | None = whole("Most results.", high=MOST_ENTITIES, default=None)
    offset: int | None = about("Leave out so many of the first.", ge=0, le=MOST_OFFSET)


class EntityApi:
    """The handlers of `ENTITY_OPERATIONS`."""

    @endpoint("GET", f"{PREFIX}/users", UserResults, query=ProjectFields, tag=TAG)
    async def list_users(self, request: ApiRequest) -> Any:
        """The users, agents and runs that have memories."""
        return {"results": await request.memory.users()}

    @endpoint(
        "GET", "/v1/entities", GraphEntityResults | EntityPage, query=AnyEntitiesQuery, tag=TAG
    )
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
