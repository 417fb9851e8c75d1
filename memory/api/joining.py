"""Joins found memories that only together answer a question, for `deep_recall`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from ..embedders import embed_queries
from ..model.ports import Embedder
from ..recall.chains import MOST_READ, best_chains
from ..recall.lines import QueryHit


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
