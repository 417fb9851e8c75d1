"""The route that lists who has memories."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from recollect.memory.api.graph import TAG
from recollect.memory.api.users import EntityDict

from .operations import PREFIX, endpoint, operations_of
from .request import ApiRequest


class UserResults(TypedDict):
    """Users, agents and runs, by kind and name."""

    results: list[EntityDict]


class EntityApi:
    """The handlers of `ENTITY_OPERATIONS`."""

    @endpoint("GET", f"{PREFIX}/users", UserResults, tag=TAG)
    async def list_users(self, request: ApiRequest) -> Any:
        """The users, agents and runs that have memories."""
        return {"results": await request.memory.users()}


ENTITY_OPERATIONS = operations_of(EntityApi)
