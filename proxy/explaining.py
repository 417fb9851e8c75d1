"""Explains the recall for a single message: for `recollect explain` and the memory API.

It uses the same gate, query, budget and rendering as a chat. Only the model call of
`recall.rewrite` is left out; the answer says so (`asks_model`).
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
    """Explains to the owner of the memories: the answer contains their texts and the query."""

    def __init__(
        self, recaller: Recaller, tokens: TokenCounter, options: RequestRecallOptions
    ) -> None:
        self._recaller = recaller
        self._tokens = tokens
        self._options = options
        self._reserve_tokens = tokens.count(frame())

    async def explain(self, scope: Scope, message: str) -> dict[str, Any]:
        """What gate, rewrite and recall do with the message, as JSON values.

        Searches even if the gate would skip the message.

        Raises:
            InvalidInputError: the message is blank.
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
        """Each memory with the tokens of its line; day headings count only in the total."""
        ranked = (*selection.chosen, *(hit for hit, _ in selection.dropped))
        cost = {hit.item.id: self._tokens.count(show(hit.item).line) for hit in ranked}
        return [memory | {"tokens": cost[memory["id"]]} for memory in memories]
