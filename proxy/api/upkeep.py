"""The operations on upkeep over HTTP: run a kind of it, read what runs did, take one back."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from recollect.memory.api.upkeep import (
    DEFAULT_WAIT,
    MOST_WAIT,
    UpkeepResults,
    checked_wait,
)
from recollect.memory.operations.fields import about, judged
from recollect.memory.operations.scope import ScopeFields

from ..access.rights import Right
from .operations import PREFIX, endpoint, operations_of
from .request import ApiRequest

UPKEEP = f"{PREFIX}/upkeep"
_OF_ONE = UPKEEP + "/{name}"
UpkeepKind = Literal["consolidate", "episode", "reflect", "judge"]
Seconds = Annotated[float, judged(lambda _, said: checked_wait(said)), Field(ge=0, le=MOST_WAIT)]


class CallFields(ScopeFields):
    """How upkeep is called."""

    dry_run: bool = about("Change nothing, and tell what would be done.", default=False)
    wait: Seconds = about(
        f"Seconds to wait for the end, from 0 to {MOST_WAIT:g}; it goes on afterwards.",
        default=DEFAULT_WAIT,
    )


class UpkeepApi:
    """The handlers of `UPKEEP_OPERATIONS`."""

    @endpoint(
        "POST", f"{PREFIX}/consolidate", UpkeepResults, Right.WRITE, body=CallFields, tag="upkeep"
    )
    async def consolidate(self, request: ApiRequest) -> Any:
        """Merge duplicates, sum topics up, archive the unused; nothing is erased.

        One run for each scope at and below this one that has memories.
        """
        return await request.memory.consolidate(
            **request.values.only("dry_run", "wait"), **request.ids
        )


UPKEEP_OPERATIONS = operations_of(UpkeepApi)
