"""Searches what was said in conversations, by both sides, with the ranking of a recall.

    newest turns of the scope -> passages -> vectors of some -> rank -> the best of each message

The work is bounded. Turns are read conversation by conversation, the newest first, at most
`MOST_TURNS`. All of their passages are compared by words, names and times; by meaning those whose
vectors are known, and in one search at most `MOST_EMBEDDED` more. Nothing is kept but vectors: the
texts are read anew each time, so what was erased is never found.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from ..database.conversations import SqlConversations
from ..language import index_terms, language_of, query_terms
from ..learn.cleaning import is_suspicious
from ..model.conversations import ConversationMark
from ..model.ports import Embedder
from ..model.times import to_ms
from ..model.types import MemoryItem, Scope, StoredMemory, Turn
from ..recall import Query, Recaller
from ..recall.ranking import Ranked
from ..records.invalidation import InvalidationBus
from .messages import ASSISTANT, USER, ConversationMessage, messages_of, passages_of
from .vectors import PassageVectors

MOST_TURNS = 600
"""Newest turns that one search reads."""
PAGE = 50
"""Conversations, and turns of one, that are read at a time."""
MOST_EMBEDDED = 256
"""Passages whose vectors one search makes."""
EMBED_SECONDS = 1.0
"""So long one search begins to make vectors."""
BESIDE = 4
"""Passages that are ranked for each result: a message may have several of the best."""
WORDS = 0.2
"""Share of the query's words from which a passage is shown whatever its evidence is."""
LONGEST_QUERY = 2000
_DIGITS = 4


@dataclass(frozen=True, slots=True)
class SpokenHit:
    """A message that a search found, and the best part of it."""

    message: ConversationMessage
    passage: MemoryItem
    """The part that fits best. No memory has its id."""
    score: float
    """How probable it is that it bears on the question, from 0 to 1 (`recall.evidence`)."""


class ConversationSearch:
    """Finds what was said, by whom, and when.

    Its methods raise StateError and EmbeddingError.
    """

    def __init__(
        self,
        conversations: SqlConversations,
        embedder: Embedder,
        recaller: Recaller,
        bus: InvalidationBus,
    ) -> None:
        """Vectors are dropped when `bus` tells that something is forgotten."""
        self._conversations = conversations
        self._dim = embedder.dim
        self._recaller = recaller
        self.vectors = PassageVectors(embedder)
        bus.subscribe(self.vectors)
        bus.forgetting.append(self.vectors.forget)

    async def search(
        self,
        scope: Scope,
        query: str,
        *,
        limit: int,
        roles: Collection[str] = (USER, ASSISTANT),
        conversation_id: str | None = None,
    ) -> list[SpokenHit]:
        """The messages of these roles that are about `query`, best first, each once.

        A passage that reads like an order to a model is never among them.
        """
        turns = await self._recaller.withholding.read(await self._turns(scope, conversation_id))
        messages = [one for turn in turns for one in messages_of(turn) if one.role in roles]
        asked = query[:LONGEST_QUERY]
        by_message = await asyncio.to_thread(lambda: [passages_of(one) for one in messages])
        of = {
            item.id: message
            for message, items in zip(messages, by_message, strict=True)
            for item in items
        }
        items = [item for some in by_message for item in some]
        if not items:
            return []
        stored = await self._with_vectors(scope.tenant, asked, items)
        ranking = await self._recaller.rank_among(scope, Query(asked), stored, most=limit * BESIDE)
        return await asyncio.to_thread(self._best, ranking.ranked, of, limit)

    def _best(
        self, ranked: Sequence[Ranked], of: dict[str, ConversationMessage], limit: int
    ) -> list[SpokenHit]:
        found: dict[ConversationMessage, SpokenHit] = {}
        for hit in ranked:
            message = of[hit.item.id]
            if message in found or not self._passes(hit) or is_suspicious(hit.item.text):
                continue
            found[message] = SpokenHit(message, hit.item, round(hit.right, _DIGITS))
            if len(found) == limit:
                break
        return list(found.values())

    def _passes(self, hit: Ranked) -> bool:
        near = self._recaller.calibration.recall
        return hit.relevant or hit.cosine >= near or hit.coverage >= WORDS

    async def _turns(self, scope: Scope, conversation_id: str | None) -> list[Turn]:
        """The newest turns, those of one conversation together."""
        if conversation_id is not None:
            return await self._latest(scope, conversation_id, MOST_TURNS)
        found: list[Turn] = []
        after: ConversationMark | None = None
        while len(found) < MOST_TURNS:
            page = await self._conversations.conversations(scope, after=after, limit=PAGE)
            for one in page:
                found += await self._latest(scope, one.id, MOST_TURNS - len(found))
                if len(found) >= MOST_TURNS:
                    break
            if len(page) < PAGE:
                break
            after = ConversationMark(to_ms(page[-1].last_at), page[-1].id)
        return found

    async def _latest(self, scope: Scope, conversation_id: str, limit: int) -> list[Turn]:
        return list(await self._conversations.latest_turns(scope, conversation_id, limit=limit))

    async def _with_vectors(
        self, tenant: str, query: str, items: Sequence[MemoryItem]
    ) -> list[StoredMemory]:
        """The passages with their vectors; those without are found by their words."""
        if len(items) > MOST_EMBEDDED:
            items = await asyncio.to_thread(worded_first, query, items)
        texts = [item.text for item in items]
        vectors = await self.vectors.of(tenant, texts, most=MOST_EMBEDDED, seconds=EMBED_SECONDS)
        none = np.zeros(self._dim, np.float32)
        return [
            StoredMemory(item, none if vector is None else vector)
            for item, vector in zip(items, vectors, strict=True)
        ]


def worded_first(query: str, items: Sequence[MemoryItem]) -> list[MemoryItem]:
    """The items with those first that hold the most terms of the query; of equal ones the first."""
    terms = set(query_terms(query, frozenset({language_of(query), "en"})))

    def held(item: MemoryItem) -> int:
        return len(terms.intersection(index_terms(item.text).terms))

    return sorted(items, key=held, reverse=True)
