"""Puts words before texts, as some models want: others before a query than before a stored text."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from ..ports import Embedder
from ..types import Vectors
from .cached import CacheOptions


class PrefixOptions(CacheOptions):
    """Options of models that may want a prefix."""

    prefix: str = Field(
        default="",
        max_length=200,
        description='What stands before every text. The E5 models want "passage: ".',
    )
    query_prefix: str | None = Field(
        default=None,
        max_length=200,
        description='What stands before a query; unset: the same. The E5 models want "query: ".',
    )


class PrefixedEmbedder:
    """An embedder whose texts and queries begin with fixed words. `close` closes the inner one."""

    def __init__(self, inner: Embedder, options: PrefixOptions) -> None:
        self.id, self.dim = inner.id, inner.dim
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
