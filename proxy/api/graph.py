"""The operations on topics over HTTP: read them, condense one, merge what says the same."""

from __future__ import annotations

from typing import Any

from recollect.memory import ModelError
from recollect.memory.api.upkeep import DEFAULT_WAIT, DryRun, UpkeepRunDict, Wait
from recollect.memory.model.errors import HourSpentError
from recollect.memory.operations.fields import Text, needed
from recollect.memory.operations.scope import ScopeFields

from ..access.rights import Right
from .answers import detail
from .operations import PREFIX, endpoint, operations_of
from .request import ApiRequest

GRAPH = f"{PREFIX}/graph"
TAG = "graph"


class AbstractBody(ScopeFields):
    """Which topic is condensed."""

    dry_run: DryRun = False
    wait: Wait = DEFAULT_WAIT

    topic: Text = needed("The id of the topic.", title="the id of a topic")


class GraphApi:
    """The handlers of `GRAPH_OPERATIONS`."""

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


GRAPH_OPERATIONS = operations_of(GraphApi)
