"""An embedder whose callers share its round trips."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import numpy as np

from ..ports import Embedder
from ..types import Vectors
from .batcher import Batcher, Cancel, Rows
from .wrapping import WrappingEmbedder


class BatchedEmbedder(WrappingEmbedder):
    """Wraps an embedder that is asked over a network: what waits together goes together.

    At most `requests` calls of the wrapped embedder go on at a time, of at most `max_batch` texts
    each. `close` fails what is under way and closes the wrapped embedder.
    """

    def __init__(self, inner: Embedder, *, max_batch: int, requests: int) -> None:
        super().__init__(inner)
        self._batcher = Batcher(self._start, dim=inner.dim, max_batch=max_batch, slots=requests)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.zeros((0, self.dim), np.float32)
        return await self._batcher.embed(list(texts))

    async def close(self) -> None:
        self._batcher.close()
        await super().close()

    def _start(self, texts: list[str], done: Callable[[Rows], None]) -> Cancel:
        # Awaited by no single caller, because each may leave while others still wait. The batcher
        # cancels it when the last one left, so it never outlives those it is for.
        running = asyncio.gather(self._inner.embed(texts))
        running.add_done_callback(lambda ended: done(lambda: ended.result()[0]))
        return running.cancel
