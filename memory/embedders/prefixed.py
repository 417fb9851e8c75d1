"""Puts words before texts, as some models want: others before a query than before a stored text."""

from __future__ import annotations

import json
from collections.abc import Sequence

from pydantic import Field

from ..model.options_base import Options
from ..model.ports import Embedder
from ..model.types import Vectors


class PrefixOptions(Options):
    """Options of models that may want a prefix."""

    prefix: str = Field(
        default="",
        max_length=100,
        description='What stands before every text. The E5 models want "passage: ". It is part of '
        "the embedder's id: existing memories need `recollect reindex` after a change.",
    )
    query_prefix: str | None = Field(
        default=None,
        max_length=200,
        description='What stands before a query; unset: the same. The E5 models want "query: ".',
    )


class PrefixedEmbedder:
    """An embedder whose texts and queries begin with fixed words. `close` closes the inner one.

    Its id names what stands before a text: with other words before them, vectors of the same model
    are not comparable, and no store has both. What stands before a query may change at any time.
    """

    def __init__(self, inner: Embedder, options: PrefixOptions) -> None:
        before = json.dumps(options.prefix, ensure_ascii=False)
        self.id = f"{inner.id} {before}" if options.prefix else inner.id
        self.dim = inner.dim
        self._inner = inner
        self._text = options.prefix
        self._query = options.prefix if options.query_prefix is None else options.query_prefix

    async def embed(self, texts: Sequence[str]) -> Vectors:
        return await self._inner.embed([self._text + text for text in texts])

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        return await self._inner.embed([self._query + text for text in texts])

    async def close(self) -> None:
        await self._inner.close()


def prefixed(embedder: Embedder, options: PrefixOptions) -> Embedder:
    """The embedder with the prefixes of these options; itself if there are none."""
    return (
        PrefixedEmbedder(embedder, options) if options.prefix or options.query_prefix else embedder
    )
