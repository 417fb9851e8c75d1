"""What every embedder around another one has in common."""

from __future__ import annotations

from ..ports import Embedder


class WrappingEmbedder:
    """Is known by the wrapped embedder's id and dimension, and closes it."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner

    @property
    def id(self) -> str:
        return self._inner.id

    @property
    def dim(self) -> int:
        return self._inner.dim

    async def close(self) -> None:
        await self._inner.close()
