"""`/v1/memory`, in the singular, as routers of models call it."""

from __future__ import annotations

from typing import Any

from recollect.memory import InvalidInputError
from recollect.memory.model.types import MemoryStatus

from ..call import ApiCall
from ..operations import scope_ids
from .memories import ALL_DELETED, DELETED, check_project, existing


class SingleMemory:
    """The handlers of `/v1/memory`. Whose memories are meant is always one user."""

    async def list_single(self, call: ApiCall) -> Any:
        """The newest memories of a user."""
        one_user(call)
        ids, limit = scope_ids(call.asked), call.asked["limit"]
        found = await call.memory.get_all(**ids, limit=limit, **_types(call))
        return {"memories": found["results"], "results": found["results"]}

    async def delete_single_all(self, call: ApiCall) -> Any:
        """Remove the memories of a user, or those of some types."""
        one_user(call)
        check_project(call)
        ids, types = scope_ids(call.asked), _types(call)
        if types:
            every = [status.value for status in MemoryStatus]
            removed = await call.memory.delete_by_query(**ids, **types, statuses=every)
            deleted = removed["deleted"]
        else:
            deleted = (await call.memory.delete_all(**ids))["deleted"]
        return {"deleted": deleted, "message": ALL_DELETED}

    async def get_single(self, call: ApiCall) -> Any:
        """One memory."""
        return await existing(call)

    async def delete_single(self, call: ApiCall) -> Any:
        """Remove one memory."""
        await call.memory.delete(call.asked["memory_id"], **scope_ids(call.asked))
        return {"deleted": 1, "message": DELETED}


def one_user(call: ApiCall) -> None:
    """Raises InvalidInputError if neither the request nor the credential names a user."""
    if call.asked["user_id"] is None and call.owner.user_id is None:
        raise InvalidInputError("user_id", "expected the user whose memories are meant")


def _types(call: ApiCall) -> dict[str, Any]:
    said = call.asked["type"]
    return {} if said is None else {"types": [each.strip() for each in said.split(",")]}
