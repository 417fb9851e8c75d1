"""Embeddings kept on disk between runs, beside the results: the same text is embedded once."""

from __future__ import annotations

import hashlib
import sqlite3
import zlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from recollect.memory.model.ports import AsksApart, Embedder
from recollect.memory.model.types import Vectors

_BATCH = 256
_Wanted = tuple[bool, str]
"""A text, and whether it is asked or stored."""


class DiskEmbedder:
    """Wraps an embedder. What it has seen in this process it answers from a dictionary."""

    def __init__(self, inner: Embedder, path: Path, *, kind: str = "int8 ") -> None:
        """`kind` tells vectors apart that have one id: MiniLM's were exact once."""
        self._kind = kind
        path.parent.mkdir(parents=True, exist_ok=True)
        self._inner = inner
        self._rows = sqlite3.connect(path)
        self._rows.execute(
            "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID"
        )
        self._seen: dict[_Wanted, np.ndarray] = {}
        self._apart = isinstance(inner, AsksApart)

    @property
    def id(self) -> str:
        return self._inner.id

    @property
    def dim(self) -> int:
        return self._inner.dim

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """As the embedder inside; says on the terminal how far a long call is."""
        return await self._all(texts, asked=False)

    async def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """The same for queries; of an embedder that does not tell them apart they are texts."""
        return await self._all(texts, asked=self._apart)

    async def _all(self, texts: Sequence[str], *, asked: bool) -> Vectors:
        wanted = [(asked, text) for text in texts]
        absent = [each for each in dict.fromkeys(wanted) if each not in self._seen]
        unknown = [each for each in absent if not self._load(each)]
        for start in range(0, len(unknown), _BATCH):
            await self._make(unknown[start : start + _BATCH])
            _progress(min(start + _BATCH, len(unknown)), len(unknown))
        if not texts:
            return np.zeros((0, self.dim), np.float32)
        return np.stack([self._seen[each] for each in wanted])

    async def close(self) -> None:
        self._rows.close()
        await self._inner.close()

    def _load(self, wanted: _Wanted) -> bool:
        row = self._rows.execute(
            "SELECT vector FROM vectors WHERE key = ?", (self._key(wanted),)
        ).fetchone()
        if row is not None:
            self._seen[wanted] = np.frombuffer(row[0], np.float32)
        return row is not None

    async def _make(self, wanted: list[_Wanted]) -> None:
        ask = self._inner.embed_queries if wanted[0][0] else self._inner.embed
        vectors = await ask([text for _, text in wanted])
        for each, vector in zip(wanted, vectors, strict=True):
            self._seen[each] = vector.copy()
        with self._rows:
            self._rows.executemany(
                "INSERT OR REPLACE INTO vectors VALUES (?, ?)",
                [(self._key(each), self._seen[each].tobytes()) for each in wanted],
            )

    def _key(self, wanted: _Wanted) -> bytes:
        asked, text = wanted
        kind = b"query" if asked else b""
        raw = f"{self._kind}{self.id}@{self.dim}\n{text}".encode()
        return hashlib.blake2b(raw, digest_size=16, person=kind).digest()


class GivenVectors:
    """An embedder that looks up what it was given: what it costs is not in a measurement.

    Any other text, such as a prototype, has the mean of its words' own directions.
    """

    def __init__(self, embedder_id: str, dim: int) -> None:
        self._id = embedder_id
        self._dim = dim
        self.vectors: dict[str, np.ndarray] = {}

    @property
    def id(self) -> str:
        return self._id

    @property
    def dim(self) -> int:
        return self._dim

    async def embed(self, texts: Sequence[str]) -> Vectors:
        given = self.vectors
        return np.stack([given[t] if t in given else self._of_words(t) for t in texts])

    async def close(self) -> None:
        self.vectors.clear()

    def _of_words(self, text: str) -> np.ndarray:
        seeds = (zlib.crc32(word.encode()) for word in text.lower().split() or [""])
        mean = np.sum([np.random.default_rng(s).standard_normal(self._dim) for s in seeds], axis=0)
        return (mean / np.linalg.norm(mean)).astype(np.float32)


def _progress(done: int, of: int) -> None:
    if of > _BATCH:
        print(f"\rembedding: {done}/{of}", end="\n" if done == of else "", flush=True)
