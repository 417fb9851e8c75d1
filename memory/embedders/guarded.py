"""An embedder whose server is left alone for a while after failures in a row."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..model.errors import EmbeddingError
from ..model.ports import Embedder
from ..model.types import Vectors
from ..util.breaker import Breaker, BreakerOptions


class GuardedEmbedder:
    """An `Embedder` that does not call a server that is down: its calls fail at once.

    So a recall does not wait for its deadline at every message. `close` closes the inner one.
    """

    def __init__(self, inner: Embedder, options: BreakerOptions) -> None:
        self.id, self.dim = inner.id, inner.dim
        self._inner = inner
        self._breaker = Breaker.of(options)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Raises EmbeddingError, without a call, while the breaker admits none."""
        term = self._breaker.admit()
        if term is None:
            raise EmbeddingError(
                f"{self.id}: the server failed too often in a row and is asked again in "
                f"{math.ceil(self._breaker.wait)} s"
            )
        try:
            rows = await self._inner.embed(texts)
        except EmbeddingError:
            self._breaker.failed(term)
            raise
        except BaseException:
            self._breaker.abandoned(term)
            raise
        self._breaker.succeeded(term)
        return rows

    async def close(self) -> None:
        await self._inner.close()
