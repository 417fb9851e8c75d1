"""What a person takes out of recall, and takes back: `AsyncMemory.invalidate` and `revert`."""

from __future__ import annotations

from typing import Any

from recollect.memory.api.results import MemoryDict, MemoryResults
from recollect.memory.operations.common import Reason
from recollect.memory.operations.fields import Moment, about, whole
from recollect.memory.operations.scope import ScopeFields

from ..access.rights import Right
from .operations import PREFIX, endpoint, operations_of
from .request import ApiRequest

_BY_ID = PREFIX + "/{memory_id}"
MOST_VERSIONS = 2**31


class InvalidateBody(ScopeFields):
    """Of a memory that is not true."""

    reason: Reason = about("Why it is not true, for people who see it listed.")
    valid_to: Moment = about("Until when it was true. Without it nobody is told that it ever was.")


class RevertBody(ScopeFields):
    """Of a memory that is to be as it was."""

    version: int | None = whole(
        "The number of the version to return to. Default: what was changed last is undone.",
        high=MOST_VERSIONS,
        default=None,
    )


class CurationApi:
    """The handlers of `CURATION_OPERATIONS`."""

    @endpoint(
        "POST", f"{_BY_ID}/invalidate", MemoryDict, Right.WRITE, if_match=True, query=ScopeFields,
        body=InvalidateBody,
    )  # fmt: skip
    async def invalidate(self, request: ApiRequest) -> Any:
        """Say that a memory is not true, or not any more: it is recalled no more, and stays listed.

        `revert` undoes it.
        """
        values = request.values
        return await request.memory.invalidate(
            **values.only("memory_id", "reason", "valid_to"), **request.ids, version=values.version
        )

    @endpoint(
        "POST", f"{_BY_ID}/revert", MemoryDict, Right.WRITE, if_match=True, query=ScopeFields,
        body=RevertBody,
    )  # fmt: skip
    async def revert(self, request: ApiRequest) -> Any:
        """Take a memory back to an earlier version, or undo what was changed last."""
        values = request.values
        return await request.memory.revert(
            values["memory_id"], values["version"], **request.ids, version=values.version
        )

    @endpoint("GET", f"{_BY_ID}/versions", MemoryResults, query=ScopeFields)
    async def versions(self, request: ApiRequest) -> Any:
        """What a memory was before each edit, newest first."""
        return await request.memory.versions(request.values["memory_id"], **request.ids)


CURATION_OPERATIONS = operations_of(CurationApi)
