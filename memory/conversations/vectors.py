"""The vectors of passages that were searched, so that the next search need not make them."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence

import numpy as np

from ..model.owner import owning_tenant
from ..model.ports import Embedder
from ..model.types import OwnerRef, Vector
from ..recall.index.entry import HalfVector
from ..util.lru import Lru

MOST_KEPT = 8192
"""About 15 MB: the last conversations of some hundred users who search."""
AT_A_TIME = 16
"""Texts that are embedded together: other requests get their turn in between."""

_Key = tuple[str, bytes]


class PassageVectors:
    """Makes vectors of passages, and keeps the last ones under digests of the texts."""

    def __init__(self, embedder: Embedder, *, most: int = MOST_KEPT) -> None:
        self._embedder = embedder
        self._kept: Lru[_Key, HalfVector] = Lru(most)

    async def of(
        self, tenant: str, texts: Sequence[str], *, most: int, seconds: float
    ) -> list[Vector | None]:
        """The vectors of these texts; None for those that there was no time for.

        At most `most` are made, the first ones first, and none is begun after so many `seconds`.
        Raises EmbeddingError.
        """
        keys = [_key(tenant, text) for text in texts]
        known = {key: self._kept.get(key) for key in keys}
        absent = {key: text for key, text in zip(keys, texts, strict=True) if known[key] is None}
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        wanted = list(absent.items())[:most]
        for at in range(0, len(wanted), AT_A_TIME):
            if loop.time() > end:
                break
            some = wanted[at : at + AT_A_TIME]
            made = await self._embedder.embed([text for _, text in some])
            for (key, _), vector in zip(some, made, strict=True):
                known[key] = vector.astype(np.float16)
                self._kept.put(key, vector.astype(np.float16))
        return [None if (one := known[key]) is None else one.astype(np.float32) for key in keys]

    def forget(self, owner_ref: OwnerRef, memory_id: str | None = None) -> None:
        """Drop those of a tenant; a single memory that changed has none."""
        if memory_id is None:
            tenant = owning_tenant(owner_ref)
            self._kept.drop(lambda key: key[0] == tenant)

    def clear(self) -> None:
        """Drop all."""
        self._kept.drop(lambda _: True)


def _key(tenant: str, text: str) -> _Key:
    raw = text.encode("utf-8", "surrogatepass")
    return tenant, hashlib.blake2b(raw, digest_size=16).digest()
