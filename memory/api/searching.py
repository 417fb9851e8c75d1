"""Finds, counts and lists memories, for `AsyncMemory`."""

from __future__ import annotations

from collections.abc import Sequence

from ..conversations.messages import ASSISTANT
from ..model import inputs
from ..model.errors import InvalidInputError
from ..model.types import MemoryItem, Scope
from ..query.arguments import MemorySelector
from ..recall import Query
from .answering import answer_from, as_hearsay
from .results import AnswerDict, CountDict, MemoryDict, MemoryResults, memory_dict
from .usage_counts import with_usage
from .view import TenantView

MOST_TOLD = 5
"""Messages of the assistant that an answer may stand on, where they are asked for."""


class Searcher:
    """Each method takes a scope, and which of its memories are meant."""

    def __init__(self, view: TenantView) -> None:
        self._view = view
        self._engine = view.engine

    async def search(
        self,
        scope: Scope,
        asked: MemorySelector,
        query: str,
        *,
        multi_query: Sequence[str],
        hyde: Sequence[str],
        limit: int,
        threshold: float | None,
        cursor: str | None,
    ) -> MemoryResults:
        """See `AsyncMemory.search`."""
        inputs.check_query(query)
        inputs.check_wordings("multi_query", multi_query)
        inputs.check_wordings("hyde", hyde)
        inputs.check_threshold(threshold)
        page = await self._engine.queries.search_page(
            scope,
            Query(query, tuple(multi_query), tuple(hyde)),
            asked,
            limit=limit,
            threshold=threshold,
            cursor=cursor,
        )
        results = MemoryResults(
            results=[memory_dict(hit.item, hit.score, hit.similarity) for hit in page.hits]
        )
        if page.next is not None:
            results["next"] = page.next
        return results

    async def answer(
        self,
        scope: Scope,
        asked: MemorySelector,
        question: str,
        *,
        limit: int,
        threshold: float | None,
        grounded: bool,
        hearsay: bool,
    ) -> AnswerDict:
        """See `AsyncMemory.answer`."""
        inputs.check_query(question)
        inputs.check_threshold(threshold)
        if not isinstance(hearsay, bool):
            raise InvalidInputError("hearsay", "expected true or false")
        hits = await self._engine.queries.search(
            scope,
            Query(question),
            asked,
            limit=limit,
            threshold=threshold,
        )
        items = [hit.item for hit in hits]
        if hearsay:
            items += await self._told(scope, question)
        answered = await answer_from(self._view.chat_model, question, items, grounded=grounded)
        result = AnswerDict(
            answer=answered.text, citations=[memory_dict(item) for item in answered.cited]
        )
        if answered.reason:
            result["reason"] = answered.reason
        return result

    async def _told(self, scope: Scope, question: str) -> list[MemoryItem]:
        """What the assistant said about it in earlier conversations, as what it is."""
        hits = await self._engine.conversations.search(
            scope, question, limit=MOST_TOLD, roles=(ASSISTANT,)
        )
        return [as_hearsay(hit.passage) for hit in hits]

    async def get_all(
        self, scope: Scope, asked: MemorySelector, *, limit: int, cursor: str | None
    ) -> MemoryResults:
        """See `AsyncMemory.get_all`."""
        page = await self._engine.queries.page(scope, asked, limit=limit, cursor=cursor)
        results = MemoryResults(results=await self._shown(page.items))
        if page.next is not None:
            results["next"] = page.next
        return results

    async def count(self, scope: Scope, asked: MemorySelector) -> CountDict:
        """See `AsyncMemory.count`."""
        return CountDict(count=await self._engine.queries.count(scope, asked))

    async def export(self, scope: Scope, asked: MemorySelector) -> MemoryResults:
        """See `AsyncMemory.export`."""
        items = await self._engine.queries.list(scope, asked)
        return MemoryResults(results=await self._shown(items))

    async def _shown(self, items: Sequence[MemoryItem]) -> list[MemoryDict]:
        return await with_usage(self._engine.parts.state.usage, items)
