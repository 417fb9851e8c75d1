"""What mem0's own server answers, below `/mem0`; on with `api.mem0_server`."""

from __future__ import annotations

from typing import Any

from recollect.memory import InvalidInputError

from ..call import ApiCall
from ..operations import scope_ids
from .entities import removed
from .events import Additions
from .filters import meant
from .memories import (
    ALL_DELETED,
    DELETED,
    answer_added,
    cleared,
    existing,
    found,
    history,
    readable,
)
from .shapes import entity_row, memory


class Mem0Server:
    """The handlers of `server_routes`."""

    def __init__(self, additions: Additions) -> None:
        self._additions = additions

    async def server_add(self, call: ApiCall) -> Any:
        """An addition."""
        asked, where = call.asked, meant(call.owner, scope_ids(call.asked))
        adding = call.memory.add(
            readable(asked["messages"]),
            **where.ids,
            metadata=asked["metadata"],
            infer=asked["infer"],
            prompt=asked["prompt"],
        )
        return await answer_added(self._additions, call, where.ids, adding)

    async def server_list(self, call: ApiCall) -> Any:
        """The newest memories of a scope."""
        listed = await call.memory.get_all(**scope_ids(call.asked), limit=call.asked["top_k"])
        return {"results": [memory(each) for each in listed["results"]]}

    async def server_get(self, call: ApiCall) -> Any:
        """One memory; of an unknown id nothing, as there."""
        return await call.memory.get(call.asked["memory_id"], **scope_ids(call.asked))

    async def server_update(self, call: ApiCall) -> Any:
        """A new text, or metadata to merge."""
        asked = call.asked
        memory_id, text, metadata = asked["memory_id"], asked["text"], asked["metadata"]
        if cleared(call):
            await existing(call)
        else:
            await call.memory.update(memory_id, text, **scope_ids(asked), metadata=metadata)
        return {"message": "Memory updated successfully!"}

    async def server_delete(self, call: ApiCall) -> Any:
        """Remove one memory."""
        await call.memory.delete(call.asked["memory_id"], **scope_ids(call.asked))
        return {"message": DELETED}

    async def server_delete_all(self, call: ApiCall) -> Any:
        """Remove the memories of a scope."""
        await call.memory.delete_all(**scope_ids(call.asked))
        return {"message": ALL_DELETED}

    async def server_history(self, call: ApiCall) -> Any:
        return await history(call)

    async def server_search(self, call: ApiCall) -> Any:
        return await found(call)

    async def server_reset(self, call: ApiCall) -> Any:
        """Remove everything of the tenant; nothing has to be confirmed, as there."""
        await call.memory.reset()
        return {"message": "All memories reset"}

    async def server_entities(self, call: ApiCall) -> Any:
        """All users, agents and runs."""
        return [entity_row(one) for one in await call.memory.users()]

    async def server_delete_entity(self, call: ApiCall) -> Any:
        """Remove the memories of one of them."""
        return await removed(call)

    async def configuration(self, call: ApiCall) -> Any:
        """That there is none to be read here; the configuration may hold secrets."""
        call.owner.whole_tenant()
        return {"server": "recollect", "config": "[redacted]", "message": _CONFIGURED}

    async def configure(self, call: ApiCall) -> Any:
        call.owner.whole_tenant()
        raise InvalidInputError("body", f"cannot be set over HTTP: {_CONFIGURED}")


_CONFIGURED = "the configuration is a file; see docs/configuration.md"
