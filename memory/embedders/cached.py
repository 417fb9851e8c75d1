"""A cache of embeddings."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Sequence

import numpy as np

from ..model.errors import EmbeddingError
from ..model.ports import AsksApart, Embedder
from ..model.types import OwnerRef, Vector, Vectors
from ..util.lru import Lru
from .checks import check
from .weighted_halves import WeightedHalves

ENTRIES = 2048
"""About 3.5 MB of 384-d vectors: recent questions and candidate facts of some hundred users."""


Found = dict[bytes, Vector]
Ask = Callable[[list[str]], Awaitable[Vectors]]
Flight = asyncio.Future[Found | EmbeddingError | None]
"""The result of a call in progress; None if it was cancelled."""


class CachedEmbedder:
    """Wraps another embedder with a least-recently-used cache of single texts.

    Keys are digests, so long texts take no more room than short ones. A text that another call is
    asking for is awaited, not asked for again. Vectors of the wrong number or length, or that are
    not finite, are an EmbeddingError. `close` closes the wrapped embedder.
    """

    def __init__(self, inner: Embedder, *, max_entries: int = ENTRIES) -> None:
        self.id, self.dim = inner.id, inner.dim
        self._inner = inner
        # Not at each query: whether an object has a protocol's methods takes 300 function calls.
        self._apart = inner if isinstance(inner, AsksApart) else None
        self._entries: Lru[bytes, Vector] = Lru(max_entries)
        self._flying: dict[bytes, Flight] = {}
        self.on_asked: Callable[[int], None] = _unnoticed
        """Told how many texts the wrapped embedder made vectors of."""

    async def embed(self, texts: Sequence[str]) -> Vectors:
        return await self._embed(texts, self._inner.embed, b"")

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        if isinstance(self._inner, WeightedHalves):
            # What is asked is often kept as what was said: one run of the model serves both.
            return self._inner.feedback_share(texts, await self.embed(texts))
        if self._apart is None:
            return await self.embed(texts)
        return await self._embed(texts, self._apart.embed_queries, b"query")

    async def _embed(self, texts: Sequence[str], ask: Ask, kind: bytes) -> Vectors:
        if not texts:
            return np.zeros((0, self.dim), np.float32)
        keys = [_digest(text, kind) for text in texts]
        found = {key: v for key in keys if (v := self._entries.get(key)) is not None}
        # Repeats only if the calls that asked for the other texts were cancelled.
        while absent := {
            key: text for key, text in zip(keys, texts, strict=True) if key not in found
        }:
            others = {flight for key in absent if (flight := self._flying.get(key))}
            mine = {key: text for key, text in absent.items() if key not in self._flying}
            if mine:
                found |= await self._ask(mine, ask)
            if others:
                found |= await _results(others)
        return np.stack([found[key] for key in keys])

    async def _ask(self, absent: dict[bytes, str], ask: Ask) -> Found:
        """Ask for these texts, and share the result with other calls that want them."""
        flight: Flight = asyncio.get_running_loop().create_future()
        self._flying |= dict.fromkeys(absent, flight)
        outcome: Found | EmbeddingError | None = None
        try:
            rows = await ask(list(absent.values()))
            self.on_asked(len(absent))
            check(rows, least=len(absent), most=len(absent), dim=self.dim)
            # Copies: a row of the batch would keep the whole batch alive.
            outcome = {key: row.copy() for key, row in zip(absent, rows, strict=True)}
        except EmbeddingError as error:
            outcome = error
            raise
        else:
            for key, vector in outcome.items():
                self._entries.put(key, vector)
            return outcome
        finally:
            for key in absent:
                del self._flying[key]
            flight.set_result(outcome)

    def forget(self, owner_ref: OwnerRef, memory_id: str | None = None) -> None:
        """Drop everything: a digest does not tell whose text it was."""
        del owner_ref, memory_id
        self.clear()

    def clear(self) -> None:
        """Drop every vector."""
        self._entries.drop(lambda _: True)

    async def close(self) -> None:
        self.clear()
        await self._inner.close()


async def _results(flights: set[Flight]) -> Found:
    """The results of other calls. Raises their EmbeddingError."""
    await asyncio.wait(flights)  # cancelling this does not cancel the flights
    found: Found = {}
    for flight in flights:
        outcome = flight.result()
        if isinstance(outcome, EmbeddingError):
            raise EmbeddingError(*outcome.args)
        found |= outcome or {}
    return found


def _unnoticed(_texts: int) -> None:
    """Nobody counts."""


def _digest(text: str, kind: bytes) -> bytes:
    raw = text.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(raw, digest_size=16, person=kind).digest()


async def embed_queries(embedder: Embedder, texts: Sequence[str]) -> Vectors:
    """Vectors of queries, to be compared with those that `embed` has of stored texts.

    Raises EmbeddingError.
    """
    # The engine's own embedder is known to have the ability: `isinstance` of a protocol is slow.
    if isinstance(embedder, (CachedEmbedder, AsksApart)):
        return await embedder.embed_queries(texts)
    return await embedder.embed(texts)
