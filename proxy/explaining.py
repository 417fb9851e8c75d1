"""What a recall would do with a message that stands alone, and why: for `recollect explain`.

The same gate, the same query, the same budget and the same rendering as in a chat. Only what a chat
would ask a model for (`recall.rewrite`) is left out, because nobody waits for it here; the answer
says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recollect.filters import Exchange, RequestRecallOptions, filters_before_recall
from recollect.filters.inject import frame
from recollect.filters.inject.render import show
from recollect.filters.rewrite.by_model import wanted_for
from recollect.filters.rewrite.prompt import Asked
from recollect.memory.errors import InvalidInputError
from recollect.memory.ports import TokenCounter
from recollect.memory.recall import Recaller, Selection
from recollect.memory.types import Message, Scope


class Explainer:
    """Answers for the owner of the memories: their texts and the query are in what it says."""

    def __init__(
        self, recaller: Recaller, tokens: TokenCounter, options: RequestRecallOptions
    ) -> None:
        self._recaller = recaller
        self._tokens = tokens
        self._options = options
        self._reserve_tokens = tokens.count(frame())

    async def explain(self, scope: Scope, message: str) -> dict[str, Any]:
        """What gate, rewrite and recall do with it, as JSON can hold it.

        Searches also where the gate would not: whoever asks wants to know what there is.

        Raises:
            InvalidInputError: there is nothing to search for.
            EmbeddingError, StoreError, StateError: a part failed.
        """
        if not message.strip():
            raise InvalidInputError("query", "expected some text")
        exchange = Exchange(
            scope=scope,
            messages=[Message(role="user", content=message)],
            model="",
            conversation_id="",
            turn_id="",
        )
        for step in filters_before_recall(self._options):
            await step.request(exchange)
        query, verdict = exchange.query.text, exchange.verdict
        reason = exchange.notes["gate"] if verdict is None else verdict.reason
        explanation = await self._recaller.explain(
            scope, query, reserve_tokens=self._reserve_tokens, show=show
        )
        answer = explanation.as_dict()
        return {
            "gate": {"recall": verdict is None, "reason": reason},
            "query": query,
            "asks_model": bool(wanted_for(Asked(query, ()), self._options.rewrite)),
            **answer,
            "frame_tokens": self._reserve_tokens,
            "memories": self._with_tokens(answer["memories"], explanation.selection),
        }

    def _with_tokens(
        self, memories: Sequence[dict[str, Any]], selection: Selection
    ) -> list[dict[str, Any]]:
        """Each with what its line costs; the date above it is shared and counted in the sum."""
        ranked = (*selection.chosen, *(hit for hit, _ in selection.dropped))
        cost = {hit.item.id: self._tokens.count(show(hit.item).line) for hit in ranked}
        return [memory | {"tokens": cost[memory["id"]]} for memory in memories]
