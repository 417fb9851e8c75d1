"""The handler of `POST /v1/memories/deep-recall`: a search that goes on until it is enough."""

from __future__ import annotations

from typing import Any

from recollect.memory.api.deep_bounds import MOST_SECONDS, MOST_TOKENS, SECONDS, TOKENS
from recollect.memory.api.deep_recall import DeepRecallDict
from recollect.memory.model.inputs import DEFAULT_ITERATIONS, MAX_ITERATIONS
from recollect.memory.operations.fields import Text, needed, whole
from recollect.memory.operations.scope import ScopeFields

from .operations import PREFIX, endpoint, operations_of
from .request import ApiRequest


class DeepRecallBody(ScopeFields):
    """A question, and how much may be spent on it."""

    question: Text = needed("What to find memories for.", title="a question")
    max_iterations: int | None = whole(
        "Most times that what was found is judged, and more is searched for; "
        f"{DEFAULT_ITERATIONS} if it is not given.",
        high=MAX_ITERATIONS,
        default=None,
    )
    rounds: int | None = whole(
        "The old name of `max_iterations`.", high=MAX_ITERATIONS, default=None
    )
    tokens: int = whole("Most tokens of all calls.", high=MOST_TOKENS, default=TOKENS)
    seconds: int = whole("Longest time of all.", high=int(MOST_SECONDS), default=int(SECONDS))


class DeepRecallApi:
    """The handlers of `DEEP_RECALL_OPERATIONS`."""

    @endpoint("POST", f"{PREFIX}/deep-recall", DeepRecallDict, body=DeepRecallBody)
    async def search_deeply(self, request: ApiRequest) -> Any:
        """Search, and search for what is missing, until what is found answers a question.

        A simple look-up is one search. A hard question is taken apart, and what only together
        answers it is joined; a model, if there is one, judges what was found, at the tenant's cost.
        If nothing says that it is enough, `abstained` is true.
        """
        values = request.values
        return await request.memory.deep_recall(
            values["question"],
            **request.ids,
            **values.only("max_iterations", "rounds", "tokens", "seconds"),
        )


DEEP_RECALL_OPERATIONS = operations_of(DeepRecallApi)
