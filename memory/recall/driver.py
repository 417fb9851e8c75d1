"""Recall with its IO: embed the query, search, select."""

from __future__ import annotations

from collections.abc import Callable

from ..calibration import calibration_for
from ..ports import Embedder, TokenCounter, VectorStore
from ..types import Scope, ScoredMemory
from .options import RecallOptions
from .select import Selection, select

CANDIDATES_PER_RESULT = 2
"""Hits fetched per wanted memory, so that one too long for the budget has a substitute."""


class Recaller:
    """Finds what matters about a scope for a query."""

    def __init__(
        self,
        store: VectorStore,
        embedder: Embedder,
        tokens: TokenCounter,
        options: RecallOptions,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._tokens = tokens
        self._options = options
        self._threshold = (
            options.threshold
            if options.threshold is not None
            else calibration_for(embedder.id).recall
        )

    async def recall(
        self,
        scope: Scope,
        query: str,
        *,
        limit: int | None = None,
        reserve_tokens: int = 0,
        render: Callable[[ScoredMemory], str] | None = None,
    ) -> Selection:
        """The memories to inject.

        `render` is how one will look, for its token count; `reserve_tokens` of the budget are spent
        on what stands around them.

        Raises:
            EmbeddingError, StoreError: whatever failed; the caller decides what that means.
        """
        wanted = limit or self._options.limit
        [vector] = await self._embedder.embed([query])
        hits = await self._store.search(scope, vector, limit=wanted * CANDIDATES_PER_RESULT)
        return select(
            hits,
            threshold=self._threshold,
            limit=wanted,
            token_budget=self._options.token_budget - reserve_tokens,
            count_tokens=lambda hit: self._tokens.count(render(hit) if render else hit.item.text),
        )
