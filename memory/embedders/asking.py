"""Embeds what is asked, where a model treats it differently from what is stored."""

from __future__ import annotations

from collections.abc import Sequence

from ..model.ports import AsksApart, Embedder
from ..model.types import Vectors
from .cached import CachedEmbedder


async def embed_queries(embedder: Embedder, texts: Sequence[str]) -> Vectors:
    """Vectors of queries, to be compared with those that `embed` has of stored texts.

    Raises EmbeddingError.
    """
    # The engine's own embedder is known to have the ability: `isinstance` of a protocol is slow.
    if isinstance(embedder, (CachedEmbedder, AsksApart)):
        return await embedder.embed_queries(texts)
    return await embedder.embed(texts)
