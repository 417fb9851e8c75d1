"""The wordings of a query and their vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..embedders import embed_queries
from ..model.ports import Embedder
from ..model.types import Vectors
from .own_name import UserNames
from .query import Query
from .retrieval import PreparedQuery

MAX_QUERY_CHARS = 4000
"""Only the beginning of a longer query is read: analysing a megabyte takes too long."""


def worded(query: str | Query) -> tuple[Query, list[str]]:
    """A query and its wordings, as far as they are read."""
    asked = Query(query) if isinstance(query, str) else query
    return asked, [text[:MAX_QUERY_CHARS] for text in (asked.text, *asked.variants)]


async def vectors_of(
    embedder: Embedder, wordings: Sequence[str], passages: Sequence[str] = ()
) -> Vectors:
    """``float32[m, dim]``: one vector for each wording, and one for question and passages.

    Raises EmbeddingError.
    """
    own = await embed_queries(embedder, wordings)
    if not passages:
        return own
    # The mean of query and passages, as in the HyDE paper (arXiv 2212.10496, section 3.2).
    mean = np.vstack([own[:1], await embedder.embed(passages)]).mean(axis=0)
    norm = float(np.linalg.norm(mean))
    return np.vstack([own, mean / norm]).astype(np.float32) if norm > 0 else own


async def naming_user(
    embedder: Embedder, wanted: PreparedQuery, about: UserNames | None
) -> PreparedQuery:
    """The query with the wording about the user before its own, if it has their name.

    Raises EmbeddingError.
    """
    if about is None:
        return wanted
    own = await vectors_of(embedder, [about.wording])
    return replace(
        wanted,
        wordings=[about.wording, *wanted.wordings],
        vectors=np.vstack([own, wanted.vectors]),
        own=own[0],
        telling=about.telling,
    )
