"""Chroma, in a folder or on a server."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

import chromadb
import httpx
import numpy as np
from chromadb.config import Settings
from chromadb.errors import ChromaError, NotFoundError

from ..model.types import Vector
from .blocking import BlockingIndex
from .folders import IndexFolder
from .options import ChromaIndexOptions
from .port import SCALARS, IndexFilter, IndexRow

_DIM = "recollect_dim"


class ChromaIndex(BlockingIndex[ChromaIndexOptions]):
    """`VectorIndex` in one collection of Chroma."""

    product = "Chroma"
    errors = (ChromaError, httpx.HTTPError, ValueError, RuntimeError, KeyError)
    batch = 32  # a call holds the GIL for two milliseconds each
    layout = "chromadb 1, 1"

    @classmethod
    def connected(cls, options: ChromaIndexOptions) -> Any:
        found = urlsplit(str(options.uri))
        ssl = found.scheme.lower() == "https"
        token = (
            {} if options.token is None else {"X-Chroma-Token": options.token.get_secret_value()}
        )
        return chromadb.HttpClient(
            host=found.hostname or "",
            port=found.port or (443 if ssl else 8000),
            ssl=ssl,
            headers=token,
            **_settings(options),
        )

    @classmethod
    def opened(cls, folder: IndexFolder, options: ChromaIndexOptions) -> Any:
        """In a folder with a name of its own: Chroma remembers one that could not be opened."""
        folder.data.mkdir(exist_ok=True)
        path = next(folder.data.iterdir(), folder.data / uuid.uuid4().hex)
        return chromadb.PersistentClient(path=str(path), **_settings(options))

    def _points(self) -> Any:
        return self._client.get_collection(self._collection, embedding_function=None)

    def _put(self, rows: Sequence[IndexRow]) -> None:
        self._remove([row.key for row in rows])  # an upsert keeps marks that a row has no more
        self._points().upsert(
            ids=[str(row.key) for row in rows],
            embeddings=np.stack([row.vector for row in rows]),
            metadatas=list(map(_metadata, rows)),
        )

    def _nearest(
        self, vector: Vector, asked: IndexFilter, limit: int
    ) -> Iterable[tuple[str, float]]:
        query: Any = vector
        found = self._points().query(
            query_embeddings=[query], n_results=limit, where=_where(asked), include=["distances"]
        )
        distances = (found["distances"] or [[]])[0]
        return zip(found["ids"][0], (1.0 - far for far in distances), strict=True)

    def _remove(self, keys: Sequence[int]) -> None:
        self._points().delete(ids=list(map(str, keys)))

    def _size(self) -> int | None:
        try:
            return int((self._points().metadata or {}).get(_DIM, 0))
        except NotFoundError:
            return None

    def _make(self) -> None:
        with contextlib.suppress(NotFoundError):
            self._client.delete_collection(self._collection)
        self._client.create_collection(
            self._collection,
            metadata={_DIM: self._dim},
            embedding_function=None,
            configuration={"hnsw": {"space": "cosine"}},
        )

    def _shut(self, client: Any) -> None:
        sessions = [*_sessions(client)]
        client.close()
        for session in sessions:
            session.close()


def _settings(options: ChromaIndexOptions) -> dict[str, Any]:
    tenant, _, database = options.database.rpartition("/")
    return {
        "settings": Settings(anonymized_telemetry=False),
        "tenant": tenant or "default_tenant",
        "database": database,
    }


def _sessions(client: Any) -> Iterator[Any]:
    """The connections of a client and of the one inside it: Chroma 1.5 closes neither."""
    for one in (client, getattr(client, "_admin_client", None)):
        session = getattr(getattr(one, "_server", None), "_session", None)
        if session is not None:
            yield session


def _metadata(row: IndexRow) -> dict[str, Any]:
    numbers = dict(zip(SCALARS, row.scalars(), strict=True))
    return numbers | {_key(mark): True for mark in row.marks}


def _key(mark: int) -> str:
    """A row has a field for each mark: Chroma 1 looks into no list."""
    return f"mark {mark}"


def _where(asked: IndexFilter) -> dict[str, Any]:
    every: list[dict[str, Any]] = [{name: value} for name, value in asked.equal()]
    every += [{name: {"$in": values}} for name, values in asked.several()]
    bounds = (("$gte", asked.since), ("$lte", asked.until))
    every += [{"at": {bound: moment}} for bound, moment in bounds if moment is not None]
    every += [{_key(mark): True} for mark in sorted(asked.marks)]
    return every[0] if len(every) == 1 else {"$and": every}
