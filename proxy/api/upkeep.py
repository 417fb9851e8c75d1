"""The operations on upkeep over HTTP: run a kind of it, read what runs did, take one back."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from recollect.memory.api.upkeep import (
    DEFAULT_RUNS,
    DEFAULT_WAIT,
    MOST_OFFSET,
    MOST_RUNS,
    MOST_WAIT,
    UndoneDict,
    UpkeepResults,
    UpkeepRunDict,
    checked_wait,
)
from recollect.memory.operations.fields import about, judged, needed, whole
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


class UpkeepBody(CallFields):
    """Which kind of upkeep is run."""

    kind: UpkeepKind = needed("Which of them.", title="a kind of upkeep")


class RunsQuery(ScopeFields):
    """Of runs."""

    kind: UpkeepKind | None = about("Only runs of this kind.")
    limit: int = whole("Most runs.", high=MOST_RUNS, default=DEFAULT_RUNS)
    offset: int = about("Leave out so many of the newest.", default=0, ge=0, le=MOST_OFFSET)


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

    @endpoint("POST", UPKEEP, UpkeepResults, Right.WRITE, body=UpkeepBody, tag="upkeep")
    async def run_upkeep(self, request: ApiRequest) -> Any:
        """Run one kind of upkeep now, or tell what it would do."""
        asked = request.values.only("kind", "dry_run", "wait")
        return await request.memory.upkeep.run(**asked, **request.ids)

    @endpoint("GET", UPKEEP, UpkeepResults, query=RunsQuery, tag="upkeep")
    async def list_upkeep(self, request: ApiRequest) -> Any:
        """The runs of a scope, or of all that the caller owns, newest first."""
        asked = request.values.only("kind", "limit", "offset")
        return await request.memory.upkeep.list(**asked, **request.ids)

    @endpoint("GET", _OF_ONE, UpkeepRunDict, query=ScopeFields, tag="upkeep")
    async def get_upkeep(self, request: ApiRequest) -> Any:
        """One run: what it changed, with the texts before and after, and why."""
        return await request.memory.upkeep.get(request.values["name"], **request.ids)

    @endpoint(
        "POST", f"{_OF_ONE}/undo", UndoneDict, Right.WRITE, query=ScopeFields, body=ScopeFields,
        tag="upkeep",
    )  # fmt: skip
    async def undo_upkeep(self, request: ApiRequest) -> Any:
        """Take a run back, as far as nobody changed its memories since."""
        return await request.memory.upkeep.undo(request.values["name"], **request.ids)


UPKEEP_OPERATIONS = operations_of(UpkeepApi)
