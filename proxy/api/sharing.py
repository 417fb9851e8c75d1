"""The operations on shared memories: `AsyncMemory.shares` over HTTP."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from recollect.memory.api.shares import ShareDict, ShareResults
from recollect.memory.model.scope import SCOPE_IDS
from recollect.memory.model.shares import ShareRights

from ..access.rights import Right
from .blocks import ToFields
from .fields import about, word
from .models import Id, ScopeFields
from .operations import PREFIX, operation, operations_of
from .request import ApiRequest

_OF_ONE = PREFIX + "/{memory_id}/shares"
TAG = "shares"


class UnsharedDict(TypedDict):
    """The memory that a scope sees no more."""

    detached: str


class ShareBody(ToFields, ScopeFields):
    """The scope that a memory is shown to."""

    rights: ShareRights = word("What that scope may do.", ShareRights.READ)


class UnshareQuery(ScopeFields):
    """The scope that a memory is shown to no more, and whose it is."""

    to_user_id: Id = about("The user of the scope that it is attached to.")
    to_agent_id: Id = about("The agent of that scope.")
    to_run_id: Id = about("The run of that scope.")


class SharingApi:
    """The handlers of `SHARE_OPERATIONS`."""

    @operation("GET", f"{PREFIX}/shares", ShareResults, query=ScopeFields, tag=TAG)
    async def list_shares(self, request: ApiRequest) -> Any:
        """What a scope's memories are attached to, and what is attached to it, newest first."""
        return await request.memory.shares.list(**request.ids)

    @operation("GET", _OF_ONE, ShareResults, query=ScopeFields, tag=TAG)
    async def memory_shares(self, request: ApiRequest) -> Any:
        """The scopes that a memory is attached to."""
        return await request.memory.shares.of(request.values["memory_id"], **request.ids)

    @operation("POST", _OF_ONE, ShareDict, Right.WRITE, query=ScopeFields, body=ShareBody, tag=TAG)
    async def share(self, request: ApiRequest) -> Any:
        """Show a memory to another scope, to read or to write."""
        said = request.values.only("memory_id", "to", "rights")
        return await request.memory.shares.attach(**said, **request.ids)

    @operation("DELETE", _OF_ONE, UnsharedDict, Right.WRITE, query=UnshareQuery, tag=TAG)
    async def unshare(self, request: ApiRequest) -> Any:
        """Show a memory to a scope no more."""
        values, memory_id = request.values, request.values["memory_id"]
        to = {name: values[f"to_{name}"] for name in SCOPE_IDS if values[f"to_{name}"] is not None}
        if not to:
            # Whose it is counts first: of somebody else's memory nobody is told more.
            await request.memory.shares.of(memory_id, **request.ids)
        await request.memory.shares.detach(memory_id, to, **request.ids)
        return UnsharedDict(detached=memory_id)


SHARE_OPERATIONS = operations_of(SharingApi)
