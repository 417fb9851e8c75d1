"""Looks up what an explanation adds to a recall: quarantined memories and counters of use."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from ..embedders import embed_queries
from ..model.errors import StateError
from ..model.ports import Embedder
from ..model.types import MemoryStatus, MemoryType, Scope, ScoredMemory
from ..model.usage import Usage
from .index.hot_indexes import HotIndexes
from .ranking import Ranked
from .wording import MAX_QUERY_CHARS

log = logging.getLogger(__name__)

MOST_HELD_BACK = 10
"""Quarantined memories that an explanation names at most."""


async def held_back(
    indexes: HotIndexes,
    embedder: Embedder,
    visible_scope: Scope,
    text: str,
    *,
    least: float,
    only: MemoryType | None,
) -> list[ScoredMemory]:
    """The quarantined memories with a cosine of at least `least` to a text, nearest first.

    Raises EmbeddingError, StoreError.
    """
    [vector] = await embed_queries(embedder, [text[:MAX_QUERY_CHARS]])
    held = await indexes.store.search(
        visible_scope,
        vector,
        limit=MOST_HELD_BACK,
        statuses=frozenset({MemoryStatus.QUARANTINED}),
    )
    return [hit for hit in held if hit.score >= least and (only is None or hit.item.type is only)]


async def used(indexes: HotIndexes, tenant: str, ranked: Iterable[Ranked]) -> dict[str, Usage]:
    """The counters of ranked memories; none while the state fails."""
    ids = [hit.item.id for hit in ranked]
    if indexes.counters is None or not ids:
        return {}
    try:
        return await indexes.counters.of(tenant, ids)
    except StateError as error:
        log.warning("an explanation is given without usage: %s", error)
        return {}
