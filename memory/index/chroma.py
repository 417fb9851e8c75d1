"""Chroma, in a folder or on a server."""

from __future__ import annotations

import asyncio
import contextlib
import uuid
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any
from urllib.parse import urlsplit

import chromadb
import httpx
import numpy as np
from chromadb.config import Settings
from chromadb.errors import ChromaError, NotFoundError

from ..model.errors import InvalidInputError, StoreError
from ..model.types import Vector
from .folders import IndexFolder, our_folder
from .options import ChromaIndexOptions
from .port import IndexFilter, IndexMissingError, IndexRow
from .threads import CallingThread

_LAYOUT = "chromadb 1, 1"
_BATCH = 32
"""Points of one call, which holds the GIL for two milliseconds each."""
_DIM = "recollect_dim"
_NUMBERS = ("tenant", "user", "agent", "run", "kind", "status", "at")
_ERRORS = (ChromaError, httpx.HTTPError, ValueError, RuntimeError, KeyError)


class ChromaIndex:
    """`VectorIndex` in one collection of Chroma."""

    def __init__(self, client: Any, calls: CallingThread, collection: str, dim: int) -> None:
        self._client = client
        self._calls = calls
        self._collection = collection
        self._dim = dim
        self._folder: IndexFolder | None = None

    @classmethod
    async def open(cls, options: ChromaIndexOptions, *, name: str, dim: int) -> ChromaIndex:
        """Raises StoreError, InvalidInputError: it has no place."""
        calls = CallingThread(
            f"Chroma at {options.shown}",
            errors=_ERRORS,
            seconds=options.timeout_seconds if options.remote else 600.0,
            at_once=8 if options.remote else 1,
        )
        folder = None
        if options.folder is not None:
            folder = IndexFolder(await asyncio.to_thread(our_folder, options.folder), _LAYOUT)
            client = await asyncio.to_thread(_local, folder, options)
        elif options.remote:
            client = await calls.call("open", lambda: _remote(options))
        else:
            raise InvalidInputError("index.uri", "expected the address of Chroma, or a folder")
        index = cls(client, calls, f"{options.collection}_{name}", dim)
        index._folder = folder
        return index

    async def put(self, rows: Sequence[IndexRow]) -> None:
        latest = list({row.key: row for row in rows}.values())
        for start in range(0, len(latest), _BATCH):
            await self._calls.call("put", partial(self._put, latest[start : start + _BATCH]))

    async def search(
        self, vector: Vector, asked: IndexFilter, *, limit: int
    ) -> list[tuple[int, float]]:
        if limit <= 0:
            return []
        query: Any = np.asarray(vector, np.float32)
        found = await self._calls.call(
            "search",
            lambda: self._points().query(
                query_embeddings=[query],
                n_results=limit,
                where=_where(asked),
                include=["distances"],
            ),
        )
        hits = zip(found["ids"][0], (found["distances"] or [[]])[0], strict=True)
        return [(int(key), min(max(1.0 - float(far), -1.0), 1.0)) for key, far in hits]

    async def delete(self, keys: Sequence[int]) -> None:
        for start in range(0, len(keys), _BATCH):
            ids = list(map(str, keys[start : start + _BATCH]))
            await self._calls.call("delete", partial(self._delete, ids))

    async def drop(self) -> None:
        await self._calls.call("drop", self._make)

    async def ping(self) -> None:
        found = await self._calls.call("ping", self._size)
        if found != self._dim:
            said = "is not there" if found is None else f"is for vectors of {found} numbers"
            raise IndexMissingError(f"Chroma: the collection {self._collection} {said}")

    async def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await asyncio.to_thread(_close, client)
        if self._folder is not None:
            self._folder.release()

    def _points(self) -> Any:
        if self._client is None:
            raise ValueError("the index is closed")
        return self._client.get_collection(self._collection, embedding_function=None)

    def _put(self, rows: Sequence[IndexRow]) -> None:
        ids = [str(row.key) for row in rows]
        points = self._points()
        points.delete(ids=ids)  # an upsert keeps marks that a row has no more
        points.upsert(
            ids=ids,
            embeddings=np.stack([row.vector for row in rows]),
            metadatas=list(map(_metadata, rows)),
        )

    def _delete(self, ids: list[str]) -> None:
        self._points().delete(ids=ids)

    def _size(self) -> int | None:
        """The dimensions of the collection; None if there is none."""
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


def _remote(options: ChromaIndexOptions) -> Any:
    found = urlsplit(str(options.uri))
    ssl = found.scheme.lower() == "https"
    token = {} if options.token is None else {"X-Chroma-Token": options.token.get_secret_value()}
    return chromadb.HttpClient(
        host=found.hostname or "",
        port=found.port or (443 if ssl else 8000),
        ssl=ssl,
        headers=token,
        **_settings(options),
    )


def _local(folder: IndexFolder, options: ChromaIndexOptions) -> Any:
    """Open it, emptied if it is damaged."""
    folder.take()
    try:
        try:
            return _opened(folder, options)
        except Exception:  # noqa: BLE001 - whatever reading of damaged files raises
            folder.empty()
            return _opened(folder, options)
    except Exception as error:
        folder.hand_over()
        raise StoreError(f"Chroma cannot open {folder.data}: {error}") from error


def _opened(folder: IndexFolder, options: ChromaIndexOptions) -> Any:
    """In a folder with a name of its own: Chroma remembers one that could not be opened."""
    folder.data.mkdir(exist_ok=True)
    path = next(folder.data.iterdir(), folder.data / uuid.uuid4().hex)
    return chromadb.PersistentClient(path=str(path), **_settings(options))


def _settings(options: ChromaIndexOptions) -> dict[str, Any]:
    return {
        "settings": Settings(anonymized_telemetry=False),
        "tenant": options.tenant,
        "database": options.database,
    }


def _close(client: Any) -> None:
    sessions = [*_sessions(client)]
    client.close()
    for session in sessions:
        session.close()


def _sessions(client: Any) -> Iterator[Any]:
    """The connections of a client and of the one inside it: Chroma 1.5 closes neither."""
    for one in (client, getattr(client, "_admin_client", None)):
        session = getattr(getattr(one, "_server", None), "_session", None)
        if session is not None:
            yield session


def _metadata(row: IndexRow) -> dict[str, Any]:
    return {name: getattr(row, name) for name in _NUMBERS} | {_key(m): True for m in row.marks}


def _key(mark: int) -> str:
    """A row has a field for each mark: Chroma 1 looks into no list."""
    return f"mark {mark}"


def _where(asked: IndexFilter) -> dict[str, Any]:
    equal = {"tenant": asked.tenant, "user": asked.user, "agent": asked.agent, "run": asked.run}
    every: list[dict[str, Any]] = [{k: v} for k, v in equal.items() if v is not None]
    every += [
        {name: {"$in": sorted(several)}}
        for name, several in (("kind", asked.kinds), ("status", asked.statuses))
        if several
    ]
    bounds = (("$gte", asked.since), ("$lte", asked.until))
    every += [{"at": {bound: moment}} for bound, moment in bounds if moment is not None]
    every += [{_key(mark): True} for mark in sorted(asked.marks)]
    return every[0] if len(every) == 1 else {"$and": every}
