"""The operations on topics over HTTP: read them, condense one, merge what says the same."""

from __future__ import annotations

from typing import Any, Literal

from recollect.memory import ModelError
from recollect.memory.api.topics import (
    DEFAULT_TOPICS,
    FEWEST_MEMBERS,
    MOST_MEMBERS,
    MOST_TOPICS,
    TopicGraphDict,
)
from recollect.memory.api.upkeep import MOST_OFFSET, UpkeepResults, UpkeepRunDict
from recollect.memory.model.errors import HourSpentError
from recollect.memory.operations.fields import Text, about, needed, whole
from recollect.memory.operations.scope import ScopeFields

from ..access.rights import Right
from .answers import detail
from .operations import PREFIX, endpoint, operations_of
from .request import ApiRequest
from .upkeep import CallFields

GRAPH = f"{PREFIX}/graph"
TAG = "graph"


class GraphQuery(ScopeFields):
    """Of topics."""

    limit: int = whole("Most topics.", high=MOST_TOPICS, default=DEFAULT_TOPICS)
    offset: int = about("Leave out so many of the largest.", default=0, ge=0, le=MOST_OFFSET)
    min_members: int = whole(
        "Only topics of so many memories.", high=MOST_MEMBERS, default=FEWEST_MEMBERS
    )
    include: Literal["entities"] | None = about(
        "`entities`: also who and what the memories speak of, and how these are connected."
    )


class AbstractBody(CallFields):
    """Which topic is condensed."""

    topic: Text = needed("The id of the topic.", title="the id of a topic")


class GraphApi:
    """The handlers of `GRAPH_OPERATIONS`."""

    @endpoint("GET", GRAPH, TopicGraphDict, query=GraphQuery, tag=TAG)
    async def graph(self, request: ApiRequest) -> Any:
        """The topics of a scope's memories, with their members, and how topics are connected."""
        asked = request.values.only("limit", "offset", "min_members", "include")
        return await request.memory.topics.graph(**asked, **request.ids)

    @endpoint("POST", f"{GRAPH}/abstract", UpkeepRunDict, Right.WRITE, body=AbstractBody, tag=TAG)
    async def abstract(self, request: ApiRequest) -> Any:
        """Have a model condense a topic into one summary that cites its members.

        It takes tokens of upkeep, what it covers is archived for it, and it can be undone.
        """
        asked = request.values.only("dry_run", "wait")
        try:
            return await request.memory.topics.abstract(
                request.values["topic"], **asked, **request.ids
            )
        except (ModelError, HourSpentError) as error:
            return detail(503, f"nothing was changed: {error.code}: {error}; {error.advice}")

    @endpoint("POST", f"{GRAPH}/dedupe", UpkeepResults, Right.WRITE, body=CallFields, tag=TAG)
    async def dedupe(self, request: ApiRequest) -> Any:
        """Merge what says the same, as `consolidate` does; nothing is erased."""
        asked = request.values.only("dry_run", "wait")
        return await request.memory.topics.dedupe(**asked, **request.ids)


GRAPH_OPERATIONS = operations_of(GraphApi)
