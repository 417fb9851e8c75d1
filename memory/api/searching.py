"""Finds, counts and lists memories, for `AsyncMemory`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Unpack

from ..calibration import SAFE
from ..conversations.messages import ASSISTANT
from ..model import inputs
from ..model.errors import InvalidInputError
from ..model.streaming import OnText
from ..model.types import MemoryItem, Scope
from ..query.arguments import MemorySelector, QueryArguments, read_arguments
from ..recall import FusionDict, Query, hops_of, tuned
from ..recall.lines import LineBounds, QueryHit
from .answering import answer_from, as_hearsay
from .earlier import earlier_messages, query_after
from .results import AnswerDict, CountDict, MemoryDict, MemoryResults, memory_dict
from .usage_counts import with_usage
from .view import TenantView
from .wordings import Wordings, worded, wordings_wanted

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
        multi_query: Sequence[str] | int,
        hyde: Sequence[str] | bool,
        fusion: FusionDict | None,
        limit: int,
        threshold: float | None,
        cursor: str | None,
        expand_hops: int | None = None,
    ) -> MemoryResults:
        """See `AsyncMemory.search`."""
        inputs.check_query(query)
        inputs.check_hops(expand_hops)
        inputs.check_threshold(threshold)
        least = self._usual_threshold() if threshold is None else threshold
        wanted = wordings_wanted(multi_query, hyde, first_page=cursor is None)
        tuning = tuned(fusion)
        found = Wordings(wanted.multi_query, wanted.hyde)
        if wanted.asks_model:
            found = await worded(self._view.chat_model, query, wanted)
        page = await self._engine.queries.search_page(
            scope,
            Query(
                query,
                found.multi_query,
                found.hyde,
                tuning=tuning,
                hops=hops_of(expand_hops, self._engine.recaller.hops),
            ),
            asked,
            limit=limit,
            threshold=least,
            cursor=cursor,
        )
        results = MemoryResults(
            results=[memory_dict(hit.item, hit.score, hit.similarity) for hit in page.hits]
        )
        if page.next is not None:
            results["next"] = page.next
        if found.made:
            results["wordings"] = found.as_dict()
        if found.note:
            results["notes"] = [found.note]
        return results

    def _usual_threshold(self) -> float:
        """Of an embedder that nobody measured, words alone tell: what they miss is not left out."""
        recall, known = self._engine.options.recall, self._engine.recaller.calibration != SAFE
        return recall.threshold if known else 0.0

    async def answer(
        self,
        scope: Scope,
        asked: MemorySelector,
        question: str,
        *,
        limit: int,
        threshold: float | None,
        grounded: bool,
        conversation: Sequence[Any],
        on_text: OnText | None,
        hearsay: bool,
    ) -> AnswerDict:
        """See `AsyncMemory.answer`."""
        inputs.check_query(question, "question")
        inputs.check_threshold(threshold)
        if not isinstance(hearsay, bool):
            raise InvalidInputError("hearsay", "expected true or false")
        earlier = earlier_messages(conversation, question)
        query = query_after(question, earlier)
        hits = await self._lines(scope, query, asked, LineBounds(limit, threshold))
        items = {hit.item.id: hit.item for hit in hits}
        notes = [hit.note for hit in hits]
        if hearsay:
            notes += await self._told(scope, question)
        answered = await answer_from(
            self._view.chat_model,
            question,
            notes,
            grounded=grounded,
            earlier=earlier,
            on_text=on_text,
        )
        result = AnswerDict(
            answer=answered.text,
            citations=[memory_dict(items.get(note.id, note)) for note in answered.cited],
            abstained=answered.text is None,
        )
        if answered.reason:
            result["reason"] = answered.reason
        return result

    async def lines(
        self, scope: Scope, question: str, *, limit: int, **which: Unpack[QueryArguments]
    ) -> MemoryResults:
        """The lines of a question (`recall.lines`): what a tool shows that searches facts."""
        inputs.check_query(question)
        asked, bounds = read_arguments(which), LineBounds(inputs.checked_limit(limit))
        hits = await self._lines(scope, Query(question), asked, bounds)
        return MemoryResults(
            results=[memory_dict(hit.item, hit.score, hit.similarity) for hit in hits]
        )

    async def _lines(
        self, scope: Scope, query: Query, asked: MemorySelector, bounds: LineBounds
    ) -> Sequence[QueryHit]:
        return (await self._engine.queries.lines(scope, query, asked, bounds)).given

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
