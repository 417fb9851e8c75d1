"""What a person takes out of recall, and takes back: `AsyncMemory.invalidate` and `revert`."""

from __future__ import annotations

from typing import Any

from recollect.memory.api.results import MemoryDict
from recollect.memory.operations.fields import whole
from recollect.memory.operations.scope import ScopeFields

from ..access.rights import Right
from .operations import PREFIX, endpoint, operations_of
from .request import ApiRequest

_BY_ID = PREFIX + "/{memory_id}"
MOST_VERSIONS = 2**31


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
        "POST", f"{_BY_ID}/revert", MemoryDict, Right.WRITE, if_match=True, query=ScopeFields,
        body=RevertBody,
    )  # fmt: skip
    async def revert(self, request: ApiRequest) -> Any:
        """Take a memory back to an earlier version, or undo what was changed last."""
        values = request.values
        return await request.memory.revert(
            values["memory_id"], values["version"], **request.ids, version=values.version
        )


CURATION_OPERATIONS = operations_of(CurationApi)
