"""An embedder that remembers: the same text is embedded once while it is in use."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from ..lru import Lru
from ..ports import Embedder
from ..types import Vector, Vectors

DEFAULT_ENTRIES = 2048
"""About 3.5 MB of 384-d vectors: some hundred users' recent questions and candidate facts."""


class CachedEmbedder:
    """Wraps another embedder with a least-recently-used cache of single texts.

    Keys are digests, so that a long text costs no more room than a short one. Two calls that miss
    the same text at the same time both embed it. `close` closes the wrapped embedder.
    """

    def __init__(self, inner: Embedder, *, max_entries: int = DEFAULT_ENTRIES) -> None:
        self._inner = inner
        self._entries: Lru[bytes, Vector] = Lru(max_entries)

    @property
    def id(self) -> str:
        return self._inner.id

    @property
    def dim(self) -> int:
        return self._inner.dim

    async def embed(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.zeros((0, self.dim), np.float32)
        keyed = [(_digest(text), text) for text in texts]
        found = {key: v for key, _ in keyed if (v := self._entries.get(key)) is not None}
        absent = {key: text for key, text in keyed if key not in found}
        if absent:
            # Copies, because a row of the batch would keep the whole batch alive.
            rows = await self._inner.embed(list(absent.values()))
            for key, row in zip(absent, rows, strict=True):
                found[key] = row.copy()
                self._entries.put(key, found[key])
        return np.stack([found[key] for key, _ in keyed])

    async def close(self) -> None:
        self._entries.drop(lambda _: True)
        await self._inner.close()


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
