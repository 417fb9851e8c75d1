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
from recollect.memory.recall import Explanation, Recaller, Selection
from recollect.memory.types import MemoryType, Message, Scope

from .placing.places import ModelPlaces


class Explainer:
    """Explains to the owner of the memories: the answer contains their texts and the query."""

    def __init__(
        self,
        recaller: Recaller,
        tokens: TokenCounter,
        options: RequestRecallOptions,
        places: ModelPlaces,
    ) -> None:
        self._recaller = recaller
        self._tokens = tokens
        self._options = options
        self._places = places
        self._reserve_tokens = tokens.count(frame())

    async def explain(self, scope: Scope, message: str) -> dict[str, Any]:
        """What gate, rewrite and recall do with the message, as JSON values.

        Searches even if the gate would skip the message. If it would skip all but one type of
        memories, those are explained if any is chosen (`gate.only`), else all.

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
        query, only = exchange.query.text or message, exchange.only
        verdict = exchange.verdict
        recall = verdict is None and not exchange.wishes_only
        reason = exchange.notes["gate"] if verdict is None else verdict.reason
        explanation = await self._explained(scope, query, only)
        if only is not None and not explanation.selection.chosen:
            recall, only = False, None
            explanation = await self._explained(scope, query, None)
        answer = explanation.as_dict()
        gate = {"recall": recall, "reason": reason}
        place = self._places.choose("")
        return {
            "gate": gate | ({"only": only.value} if only else {}),
            "query": query,
            "place": place.value if place else None,
            "asks_model": not exchange.only
            and bool(wanted_for(Asked(query, ()), self._options.rewrite)),
            **answer,
            "frame_tokens": self._reserve_tokens,
            "memories": self._with_tokens(answer["memories"], explanation.selection),
        }

    async def _explained(self, scope: Scope, query: str, only: MemoryType | None) -> Explanation:
        return await self._recaller.explain(
            scope, query, reserve_tokens=self._reserve_tokens, show=show, only=only
        )

    def _with_tokens(
        self, memories: Sequence[dict[str, Any]], selection: Selection
    ) -> list[dict[str, Any]]:
        """Each memory with the tokens of its line; day headings count only in the total."""
        ranked = (*selection.chosen, *(hit for hit, _ in selection.dropped))
        cost = {hit.item.id: self._tokens.count(show(hit.item).line) for hit in ranked}
        return [memory | {"tokens": cost[memory["id"]]} for memory in memories]
