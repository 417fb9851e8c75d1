"""The handler of `POST /v1/memories/deep-recall`: a search that goes on until it is enough."""

from __future__ import annotations

from typing import Any

from recollect.memory.api.deep_recall import (
    MOST_ROUNDS,
    MOST_SECONDS,
    MOST_TOKENS,
    ROUNDS,
    SECONDS,
    TOKENS,
    DeepRecallDict,
)

from .fields import Text, needed, whole
from .models import ScopeFields
from .operations import PREFIX, operation, operations_of
from .request import ApiRequest


class DeepRecallBody(ScopeFields):
    """A question, and how much may be spent on it."""

    question: Text = needed("What to find memories for.", title="a question")
    rounds: int = whole(
        "Most calls to the model that judges what was found.", high=MOST_ROUNDS, default=ROUNDS
    )
    tokens: int = whole("Most tokens of all calls.", high=MOST_TOKENS, default=TOKENS)
    seconds: int = whole("Longest time of all.", high=int(MOST_SECONDS), default=int(SECONDS))


class DeepRecallApi:
    """The handlers of `DEEP_RECALL_OPERATIONS`."""

    @operation("POST", f"{PREFIX}/deep-recall", DeepRecallDict, body=DeepRecallBody)
    async def search_deeply(self, request: ApiRequest) -> Any:
        """Search, and search for what is missing, until what is found answers a question.

        A simple look-up is one search. Otherwise a model judges what was found, at the tenant's
        cost; if nothing says that it is enough, `abstained` is true.
        """
        values = request.values
        return await request.memory.deep_recall(
            values["question"], **request.ids, **values.only("rounds", "tokens", "seconds")
        )


DEEP_RECALL_OPERATIONS = operations_of(DeepRecallApi)
