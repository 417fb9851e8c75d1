"""Exports and summaries in mem0's words. An export is made when it is fetched."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypedDict

from recollect.memory.model.inputs import MAX_LIMIT

from ..operations import endpoint, operations_of
from ..request import ApiRequest
from . import models
from .filters import Meant, meant
from .issued import Issued
from .shapes import memory

MOST_SUMMED = 20
"""Memories of a summary without a profile."""
AS_THEY_ARE = "An export holds the memories as they are: no model fills the schema."


class Issue(TypedDict):
    """An export that can be fetched."""

    id: str
    status: str
    message: str


class Exported(TypedDict):
    """The memories of an export, newest first."""

    results: list[dict[str, Any]]
    count: int
    complete: bool
    """Whether these are all; at most 10,000 are exported."""
    schema_filled: bool
    """Always false."""
    message: str


class SummaryDict(TypedDict):
    """What is known, in lines; no model writes it."""

    status: str
    summary: str
    source: str
    """`profile`, or `memories` if there is no profile or filters were given."""
    ids: list[str]
    """The memories that it stands on."""


class Mem0Exports:
    """The handlers of the routes about exports and summaries."""

    def __init__(self) -> None:
        self._issued: Issued[Meant] = Issued("export")

    @endpoint("POST", "/v1/exports", Issue, body=models.ExportBody)
    async def create_export(self, request: ApiRequest) -> Any:
        """mem0: an export, which is made when it is fetched.

        Remember what is to be exported.
        """
        where = meant(request.owner, request.ids, request.values["filters"])
        await request.memory.count(
            **where.ids, filters=where.filters
        )  # refuses what cannot be asked
        issued = self._issued.put(request.owner, where)
        return Issue(id=issued, status="SUCCEEDED", message=AS_THEY_ARE)

    @endpoint("POST", "/v1/exports/get", Exported, body=models.ExportedBody)
    async def get_export(self, request: ApiRequest) -> Any:
        """mem0: the memories of an export as they are.

        The memories of an export, or of what is asked for here.
        """
        issued = request.values["memory_export_id"]
        if issued is None:
            where = meant(request.owner, request.ids, request.values["filters"])
        else:
            where = self._issued.get(request.owner, issued)
        found = await request.memory.get_all(**where.ids, limit=MAX_LIMIT, filters=where.filters)
        return Exported(
            results=[memory(each) for each in found["results"]],
            count=len(found["results"]),
            complete="next" not in found,
            schema_filled=False,
            message=AS_THEY_ARE,
        )

    @endpoint("POST", "/v1/summary", SummaryDict, body=models.SummaryBody)
    async def summarize(self, request: ApiRequest) -> Any:
        """mem0: the profile of somebody in lines; no model writes it.

        The profile of somebody, or else the newest memories.
        """
        where = meant(request.owner, request.ids, request.values["filters"])
        if where.filters is None:
            lines = (await request.memory.profile(**where.ids))["results"]
            if lines:
                texts = [line["memory"] for line in lines]
                return _summary("profile", texts, [one for line in lines for one in line["ids"]])
        found = await request.memory.get_all(**where.ids, limit=MOST_SUMMED, filters=where.filters)
        rows = found["results"]
        return _summary("memories", [row["memory"] for row in rows], [row["id"] for row in rows])


OF_EXPORTS = operations_of(Mem0Exports)


def _summary(source: str, texts: list[str], ids: list[str]) -> SummaryDict:
    return SummaryDict(status="succeeded", summary="\n".join(texts), source=source, ids=ids)
