"""Searches until what is found answers a question, or says that it does not, for `AsyncMemory`.

A simple look-up is one search. A hard question is taken apart by its structure, and what only
together answers it is joined. Then a model, if there is one, judges what was found and says what
else to search for, within bounds of iterations, tokens and time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from ..embedders import embed_queries
from ..llms import ask, spent_on
from ..model import inputs
from ..model.errors import ConfigError, ExtractionError, ModelError
from ..model.ports import ChatModel, Embedder
from ..model.types import ChatRequest, MemoryItem, Scope
from ..query.arguments import read_arguments
from ..recall import Query
from ..recall.chains import MOST_READ, best_chains
from ..recall.difficulty import Difficulty, difficulty_of
from ..recall.lines import LineBounds, QueryHit, ReaderLines
from ..recall.options import ExpandHops
from .answering import NO_MEMORIES
from .decomposing import filled_in, named_apart, parts_of
from .deep_bounds import ScopedBounds as ScopedBounds  # noqa: PLC0414 - of the same call
from .deep_bounds import SearchBounds
from .deep_bounds import bounds_of as bounds_of  # noqa: PLC0414 - the same
from .deep_found import DeepFound
from .deep_found import DeepRecallDict as DeepRecallDict  # noqa: PLC0414 - the same
from .grading import Grade, grade_request, read_grade
from .view import TenantView

FIRST, FURTHER = 30, 5
"""Memories of the first search that may be joined, and those of each further one."""
MOST_GIVEN = 10
"""Lines of the question itself."""
MOST_ASKED = 4
"""Searches of one iteration without a model."""
BYTES_PER_TOKEN = 3

OUT_OF_ROUNDS = "out_of_rounds"
OUT_OF_TOKENS = "out_of_tokens"
OUT_OF_TIME = "out_of_time"
NOTHING_NEW = "nothing_new"
"""The model knows nothing else to search for, or further searches found nothing else."""
NOT_COVERED = "not_covered"
"""Nothing that was found is near enough to the question, and no model judged it."""
UNREADABLE = "unreadable_grade"


class DeepSearcher:
    """Searches a scope again and again, for one question."""

    def __init__(self, view: TenantView, scope: Scope, question: str, bounds: SearchBounds) -> None:
        self._view = view
        self._scope = scope
        self._question = question
        self._bounds = bounds
        self._found = DeepFound()

    async def run(self) -> DeepRecallDict:
        """See `AsyncMemory.deep_recall`."""
        found, limit = self._found, asyncio.timeout(self._bounds.seconds)
        try:
            async with limit:
                reason = await self._searched()
        except TimeoutError:
            if not limit.expired():
                raise
            reason = OUT_OF_TIME
        return found.result(reason)

    async def _searched(self) -> str | None:
        """Search once, and more if that is not enough. Returns why not, None if it is."""
        lines = await self._search(self._question, FIRST, MOST_GIVEN)
        if not lines.ranked:
            return NO_MEMORIES
        self._found.add(lines)
        why = difficulty_of(self._question, [(hit.item.text, hit.score) for hit in lines.given])
        if why is None:
            return None
        if len(lines.ranked) == FIRST:  # else all that there is was found
            await self._take_apart(why)
        await self._join()
        return await self._judged()

    async def _judged(self) -> str | None:
        """Why what was found is not enough; None if it is.

        Nearness tells if no model was chosen: one that a chat lends may not be able to judge.
        """
        try:
            return await self._rounds(self._view.chat_model)
        except (ModelError, ConfigError, ExtractionError) as error:
            if not self._view.has_model:
                return self._judged_by_nearness()
            if isinstance(error, ConfigError):
                raise
            return UNREADABLE if isinstance(error, ExtractionError) else error.code

    def _judged_by_nearness(self) -> str | None:
        found = self._found
        if not found.tokens:
            found.calls = 0  # there was nobody to ask
        return None if found.covers(self._view.engine.parts.calibration) else NOT_COVERED

    async def _take_apart(self, why: Difficulty) -> None:
        """Search for the parts of the question, and for what its descriptions may stand for."""
        parts = parts_of(self._question) or (
            named_apart(self._question) if why is Difficulty.APART else ()
        )
        await self._further(parts)
        for _ in range(self._bounds.iterations):
            texts = [hit.item.text for hit in self._found.ranked]
            queries = filled_in(self._question, texts, self._found.searches, most=MOST_ASKED)
            if not queries or not await self._further(queries):
                return

    async def _join(self) -> None:
        """Note the memories that only together answer."""
        embedder = self._view.engine.parts.embedder
        self._found.chain(await joined(embedder, self._question, self._found.ranked))

    async def _rounds(self, model: ChatModel) -> str | None:
        found = self._found
        while True:
            shown = found.shown()
            request = grade_request(self._question, shown, found.searches)
            if found.tokens + _most_tokens(request) > self._bounds.tokens:
                return OUT_OF_TOKENS
            grade = await self._graded(model, request, shown)
            if grade.enough:
                return None
            if found.calls == self._bounds.iterations:
                return OUT_OF_ROUNDS
            if not await self._further(grade.queries, hops=1):
                return NOTHING_NEW
            await self._join()

    async def _graded(
        self, model: ChatModel, request: ChatRequest, shown: Sequence[MemoryItem]
    ) -> Grade:
        found = self._found
        found.calls += 1

        def request_for(some: Sequence[MemoryItem]) -> ChatRequest:
            return grade_request(self._question, some, found.searches)

        reply, shown = await ask(model, shown, request_for, least=0)
        found.tokens += spent_on(request, reply).tokens
        grade = read_grade(reply.text, len(shown), found.searches)
        found.grounds = tuple(shown[place].id for place in grade.grounds)
        found.missing = grade.missing
        return grade

    async def _further(self, queries: Sequence[str], hops: ExpandHops | None = None) -> bool:
        """Search for these too. Returns whether they found anything else."""
        is_new = False
        for query in queries:
            is_new |= self._found.add(await self._search(query, FURTHER, FURTHER, hops))
        return is_new

    async def _search(
        self, query: str, most: int, limit: int, hops: ExpandHops | None = None
    ) -> ReaderLines:
        """At most `limit` lines, of `most` memories; with `hops` also what the best lead to."""
        self._found.searches.append(query)
        found = await self._view.engine.queries.lines(
            self._scope, Query(query, hops=hops), read_arguments({}), LineBounds(limit)
        )
        return replace(found, ranked=found.ranked[:most])


def _most_tokens(request: ChatRequest) -> int:
    """About the most that a call takes, in any script."""
    sent = sum(len(one.content.encode()) for one in request.messages)
    return sent // BYTES_PER_TOKEN + request.max_tokens


async def deep_recall(
    view: TenantView, scope: Scope, question: str, bounds: SearchBounds
) -> DeepRecallDict:
    """See `AsyncMemory.deep_recall`."""
    inputs.check_query(question, "question")
    return await DeepSearcher(view, scope, question, bounds).run()


async def joined(embedder: Embedder, question: str, hits: Sequence[QueryHit]) -> list[QueryHit]:
    """Those of the first hits that are in the best chains, best chain first.

    Raises EmbeddingError.
    """
    read = hits[:MOST_READ]
    texts = [hit.item.text for hit in read]
    if not texts:
        return []
    [asked] = await embed_queries(embedder, [question])
    vectors = await embedder.embed(texts)
    chains = await asyncio.to_thread(best_chains, question, texts, asked, vectors)
    places = dict.fromkeys(place for chain in chains for place in chain.places)
    return [read[place] for place in places]
