"""An embedder that remembers: the same text is embedded once while it is in use."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

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
        self._max_entries = max_entries
        self._entries: OrderedDict[bytes, Vector] = OrderedDict()

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
        found = {key: self._entries[key] for key, _ in keyed if key in self._entries}
        absent = {key: text for key, text in keyed if key not in found}
        if absent:
            # Copies, because a row of the batch would keep the whole batch alive.
            rows = await self._inner.embed(list(absent.values()))
            found.update(zip(absent, (row.copy() for row in rows), strict=True))
        self._remember(found)
        return np.stack([found[key] for key, _ in keyed])

    async def close(self) -> None:
        self._entries.clear()
        await self._inner.close()

    def _remember(self, used: dict[bytes, Vector]) -> None:
        for key, vector in used.items():
            self._entries[key] = vector
            self._entries.move_to_end(key)
        while len(self._entries) > self._max_entries:
            self._entries.popitem(last=False)


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
