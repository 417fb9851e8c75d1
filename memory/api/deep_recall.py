"""Searches until what is found answers a question, or says that it does not, for `AsyncMemory`.

A simple look-up is one search without a call to a model. Otherwise a model judges what was found
and says what else to search for, within bounds of rounds, tokens and time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NotRequired

from typing_extensions import TypedDict

from ..llms import spent_on
from ..model import inputs
from ..model.errors import ExtractionError, InvalidInputError, ModelError
from ..model.ports import ChatModel
from ..model.quantities import number_of, whole_of
from ..model.types import ChatRequest, MemoryItem, Scope
from ..query.arguments import read_arguments
from ..recall import Query
from ..recall.difficulty import SURE, hardness
from ..recall.queries import QueryHit
from .answering import NO_MEMORIES
from .grading import Grade, grade_request, read_grade
from .results import MemoryDict, memory_dict
from .view import TenantView

ROUNDS, MOST_ROUNDS = 3, 5
TOKENS, MOST_TOKENS = 12_000, 100_000
SECONDS, MOST_SECONDS = 30.0, 300.0
FIRST, FURTHER = 10, 5
"""Memories of the first search, and of each further one."""
LEAST = 0.1
"""The score below which a memory is not shown to the model."""
MOST_SHOWN = 24
"""Memories that are judged at a time."""
BYTES_PER_TOKEN = 3

OUT_OF_ROUNDS = "out_of_rounds"
OUT_OF_TOKENS = "out_of_tokens"
OUT_OF_TIME = "out_of_time"
NOTHING_NEW = "nothing_new"
"""The model knows nothing else to search for, or further searches found nothing else."""
UNREADABLE = "unreadable_grade"


class DeepBounds(TypedDict, total=False):
    """How much a `deep_recall` may take."""

    rounds: int
    """Most calls to the model: 1 to 5, default 3."""
    tokens: int
    """Most tokens of all calls: up to 100,000, default 12,000."""
    seconds: float
    """Longest time: up to 300, default 30."""


class DeepRecallDict(TypedDict):
    """The result of `deep_recall`."""

    results: list[MemoryDict]
    """The memories that an answer follows from; if it abstained, those that may be part of one."""
    abstained: bool
    """Whether nobody can say that they are enough: then say so, rather than guess."""
    reason: NotRequired[str]
    """Why it abstained: `no_memories`, `nothing_new`, `out_of_rounds`, `out_of_tokens`,
    `out_of_time`, `unreadable_grade`, or the code of the model's failure."""
    missing: NotRequired[str]
    """What the model says is missing."""
    searches: list[str]
    """What was searched for, the question first."""
    calls: int
    """Of the model. None for a simple look-up."""
    tokens: int


@dataclass(frozen=True, slots=True)
class SearchBounds:
    """The same bounds, checked."""

    rounds: int
    tokens: int
    seconds: float


def bounds_of(
    rounds: object = ROUNDS, tokens: object = TOKENS, seconds: object = SECONDS
) -> SearchBounds:
    """The bounds of a call. Raises InvalidInputError, which names the one that is wrong."""
    checked_rounds = whole_of(rounds, 1, MOST_ROUNDS)
    if checked_rounds is None:
        raise InvalidInputError("rounds", f"expected a whole number from 1 to {MOST_ROUNDS}")
    checked_tokens = whole_of(tokens, 1, MOST_TOKENS)
    if checked_tokens is None:
        raise InvalidInputError("tokens", f"expected a whole number from 1 to {MOST_TOKENS}")
    limit = number_of(seconds)
    if limit is None or not 0 < limit <= MOST_SECONDS:
        raise InvalidInputError("seconds", f"expected a number up to {MOST_SECONDS:g}")
    return SearchBounds(checked_rounds, checked_tokens, float(limit))


@dataclass(slots=True)
class _Found:
    """What was found so far, and what that took."""

    hits: dict[str, QueryHit] = field(default_factory=dict)
    grounds: tuple[str, ...] = ()
    """The ids that the last grade named."""
    searches: list[str] = field(default_factory=list)
    missing: str = ""
    calls: int = 0
    tokens: int = 0

    def add(self, hits: Sequence[QueryHit]) -> bool:
        """Note these. Returns whether any is new."""
        before = len(self.hits)
        for hit in hits:
            if hit.score >= LEAST:
                self.hits.setdefault(hit.item.id, hit)
        return len(self.hits) > before

    def shown(self) -> list[MemoryItem]:
        """What is judged next: first what counted before, then the surest."""
        ranked = sorted(self.hits.values(), key=lambda hit: -hit.score)
        first = [self.hits[name] for name in self.grounds]
        rest = [hit for hit in ranked if hit.item.id not in self.grounds]
        return [hit.item for hit in [*first, *rest][:MOST_SHOWN]]

    def chosen(self) -> list[QueryHit]:
        """The memories of the result."""
        if self.grounds:
            return [self.hits[name] for name in self.grounds]
        return [hit for hit in self.hits.values() if hit.score >= SURE]

    def result(self, reason: str | None) -> DeepRecallDict:
        """With the `reason` why it abstained; None if it did not."""
        shown = DeepRecallDict(
            results=[memory_dict(hit.item, hit.score, hit.similarity) for hit in self.chosen()],
            abstained=reason is not None,
            searches=self.searches,
            calls=self.calls,
            tokens=self.tokens,
        )
        if reason is not None:
            shown["reason"] = reason
            if self.missing:
                shown["missing"] = self.missing
        return shown


class DeepSearcher:
    """Searches a scope again and again, for one question."""

    def __init__(self, view: TenantView, scope: Scope, question: str, bounds: SearchBounds) -> None:
        self._view = view
        self._scope = scope
        self._question = question
        self._bounds = bounds
        self._found = _Found()

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
        hits = await self._search(self._question, FIRST)
        if not hits:
            return NO_MEMORIES
        self._found.add(hits)
        if hardness(self._question, [(hit.item.text, hit.score) for hit in hits]) is None:
            return None
        try:
            return await self._rounds(self._view.chat_model)
        except ModelError as error:
            return error.code
        except ExtractionError:
            return UNREADABLE

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
            if found.calls == self._bounds.rounds:
                return OUT_OF_ROUNDS
            if not await self._further(grade.queries):
                return NOTHING_NEW

    async def _graded(
        self, model: ChatModel, request: ChatRequest, shown: Sequence[MemoryItem]
    ) -> Grade:
        found = self._found
        found.calls += 1
        reply = await model.complete(request)
        found.tokens += spent_on(request, reply).tokens
        grade = read_grade(reply.text, len(shown), found.searches)
        found.grounds = tuple(shown[place].id for place in grade.grounds)
        found.missing = grade.missing
        return grade

    async def _further(self, queries: Sequence[str]) -> bool:
        """Search for these too. Returns whether they found anything else."""
        is_new = False
        for query in queries:
            is_new |= self._found.add(await self._search(query, FURTHER))
        return is_new

    async def _search(self, query: str, limit: int) -> list[QueryHit]:
        self._found.searches.append(query)
        return await self._view.engine.queries.search(
            self._scope, Query(query), read_arguments({}), limit=limit
        )


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
