"""The users, agents and runs of a tenant over HTTP."""

from __future__ import annotations

from typing import Any

from recollect.memory import InvalidInputError

from ..call import ApiCall
from .shapes import entity_row, page_urls

KINDS = {"user": "user_id", "agent": "agent_id", "run": "run_id"}


class Mem0Entities:
    """The handlers of the routes about entities."""

    async def list_entities(self, call: ApiCall) -> Any:
        """All of them, or a page: clients that remove all of them read no further page."""
        every = [entity_row(one) for one in await call.memory.users()]
        size = call.asked["page_size"] or max(1, len(every))
        page = call.asked["page"]
        return {
            "count": len(every),
            **page_urls(call.request.url, page, size, len(every)),
            "results": every[(page - 1) * size : page * size],
        }

    async def delete_entity_v1(self, call: ApiCall) -> Any:
        return await removed(call)

    async def delete_entity_v2(self, call: ApiCall) -> Any:
        return await removed(call)


async def removed(call: ApiCall) -> dict[str, Any]:
    """Remove every memory of one; the history is kept."""
    kind, name = call.asked["entity_type"], call.asked["entity_name"]
    result = await call.memory.delete_all(**{scope_id(kind): name})
    return {"message": f"The memories of this {kind} are deleted.", "deleted": result["deleted"]}


def scope_id(kind: str) -> str:
    """The id that names such an entity. Raises InvalidInputError."""
    if kind not in KINDS:
        said = "there is no app level; " if kind == "app" else ""
        raise InvalidInputError("entity_type", f"{said}expected one of {', '.join(KINDS)}")
    return KINDS[kind]
