"""Qdrant, in a folder or on a server."""

from __future__ import annotations

import asyncio
import contextlib
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from qdrant_client import QdrantClient, models
from qdrant_client.common.client_exceptions import QdrantException
from qdrant_client.http.exceptions import ApiException

from ..model.errors import InvalidInputError, StoreError
from ..model.types import Vector
from .folders import IndexFolder, our_folder
from .options import QdrantIndexOptions
from .port import IndexFilter, IndexMissingError, IndexRow
from .threads import CallingThread

_LAYOUT = "qdrant-client 1, 1"
_BATCH = 256
"""Points of one request."""
_DIGESTS = ("tenant", "user", "agent", "run", "kind", "status", "marks")
_WIDTH = 128
"""How many neighbours the graph of a server looks at; more find more."""
_ERRORS = (QdrantException, ApiException, ValueError, RuntimeError, KeyError)
"""The last three are those of the local mode."""


class QdrantIndex:
    """`VectorIndex` in one collection of Qdrant."""

    def __init__(
        self, client: QdrantClient, calls: CallingThread, collection: str, dim: int
    ) -> None:
        self._client = client
        self._calls = calls
        self._collection = collection
        self._dim = dim
        self._folder: IndexFolder | None = None

    @classmethod
    async def open(cls, options: QdrantIndexOptions, *, name: str, dim: int) -> QdrantIndex:
        """Raises StoreError, InvalidInputError: it has no place."""
        calls = CallingThread(
            f"Qdrant at {options.shown}",
            errors=_ERRORS,
            seconds=options.timeout_seconds if options.remote else 600.0,
            at_once=8 if options.remote else 1,
        )
        folder = None
        if options.folder is not None:
            folder = IndexFolder(await asyncio.to_thread(our_folder, options.folder), _LAYOUT)
            client = await asyncio.to_thread(_local, folder)
        elif options.remote:
            client = await calls.call("open", lambda: _remote(options))
        else:
            raise InvalidInputError("index.uri", "expected the address of Qdrant, or a folder")
        index = cls(client, calls, f"{options.collection}_{name}", dim)
        index._folder = folder
        return index

    async def put(self, rows: Sequence[IndexRow]) -> None:
        for start in range(0, len(rows), _BATCH):
            some = rows[start : start + _BATCH]
            await self._call("upsert", lambda some=some: {"points": list(map(_point, some))})

    async def search(
        self, vector: Vector, asked: IndexFilter, *, limit: int
    ) -> list[tuple[int, float]]:
        if limit <= 0:
            return []
        found = await self._call(
            "query_points",
            lambda: {
                "query": np.asarray(vector, np.float32).tolist(),
                "query_filter": _filter(asked),
                "search_params": self._wide(limit),
                "limit": limit,
                "with_payload": False,
            },
        )
        return [(int(one.id), min(max(float(one.score), -1.0), 1.0)) for one in found.points]

    async def delete(self, keys: Sequence[int]) -> None:
        if keys:
            chosen = models.PointIdsList(points=list(keys))
            await self._call("delete", lambda: {"points_selector": chosen})

    async def drop(self) -> None:
        await self._calls.call("drop", self._make)

    async def ping(self) -> None:
        found = await self._calls.call("ping", self._size)
        if found != self._dim:
            said = "is not there" if found is None else f"is for vectors of {found} numbers"
            raise IndexMissingError(f"Qdrant: the collection {self._collection} {said}")

    async def close(self) -> None:
        await asyncio.to_thread(self._client.close)
        if self._folder is not None:
            self._folder.release()

    async def _call(self, method: str, arguments: Any) -> Any:
        """The arguments are made in the thread, too: points are large."""

        def work() -> Any:
            waiting = {} if method == "query_points" else {"wait": True}
            call = getattr(self._client, method)
            return call(collection_name=self._collection, **waiting, **arguments())

        return await self._calls.call(method, work)

    def _wide(self, limit: int) -> models.SearchParams | None:
        """The local mode compares everything, and warns about them."""
        if self._folder is not None:
            return None
        return models.SearchParams(hnsw_ef=max(_WIDTH, limit))

    def _size(self) -> int | None:
        """The dimensions of the collection; None if there is none."""
        if self._collection not in {c.name for c in self._client.get_collections().collections}:
            return None
        vectors = self._client.get_collection(self._collection).config.params.vectors
        return vectors.size if isinstance(vectors, models.VectorParams) else 0

    def _make(self) -> None:
        self._client.delete_collection(self._collection)
        self._client.create_collection(
            self._collection,
            # Vectors are normalised before they come: the inner product is the cosine.
            vectors_config=models.VectorParams(size=self._dim, distance=models.Distance.DOT),
        )
        if self._folder is not None:
            _hurry(self._client)
            return
        equal = models.IntegerIndexParams(
            type=models.IntegerIndexType.INTEGER, lookup=True, range=False
        )
        kinds: dict[str, Any] = dict.fromkeys(_DIGESTS, equal)
        for field, kind in {**kinds, "at": models.PayloadSchemaType.INTEGER}.items():
            self._client.create_payload_index(
                self._collection, field_name=field, field_schema=kind, wait=True
            )


def _remote(options: QdrantIndexOptions) -> QdrantClient:
    with warnings.catch_warnings():
        # An API key over plain HTTP is the operator's choice, in a network of their own.
        warnings.simplefilter("ignore", UserWarning)
        client = QdrantClient(
            url=options.uri,
            api_key=None if options.api_key is None else options.api_key.get_secret_value(),
            timeout=max(1, round(options.timeout_seconds)),
            check_compatibility=False,  # it asks the server before anything was called
        )
    client.get_collections()
    return client


def _local(folder: IndexFolder) -> QdrantClient:
    folder.take()
    try:
        return _opened(folder)
    except Exception as error:
        folder.hand_over()
        raise StoreError(f"Qdrant cannot open {folder.data}: {error}") from error


def _opened(folder: IndexFolder) -> QdrantClient:
    """Open it, emptied if it is damaged."""
    path = str(folder.data)
    try:
        client = QdrantClient(path=path, force_disable_check_same_thread=True)
    except Exception:  # noqa: BLE001 - whatever reading of damaged files raises
        folder.empty()
        client = QdrantClient(path=path, force_disable_check_same_thread=True)
    _hurry(client)
    return client


def _hurry(client: Any) -> None:
    """Wait for no disk: the local mode commits each point, and a crash empties the folder."""
    with contextlib.suppress(AttributeError):  # it has no public way to its files
        for collection in client._client.collections.values():  # noqa: SLF001
            collection.storage.storage.execute("PRAGMA synchronous = OFF")


def _point(row: IndexRow) -> models.PointStruct:
    payload = {name: getattr(row, name) for name in (*_DIGESTS[:-1], "at")}
    payload["marks"] = list(row.marks)
    return models.PointStruct(id=row.key, vector=row.vector.tolist(), payload=payload)


def _filter(asked: IndexFilter) -> models.Filter:
    equal = {"tenant": asked.tenant, "user": asked.user, "agent": asked.agent, "run": asked.run}
    must: list[Any] = [
        models.FieldCondition(key=name, match=models.MatchValue(value=value))
        for name, value in (*equal.items(), *(("marks", mark) for mark in sorted(asked.marks)))
        if value is not None
    ]
    must += [
        models.FieldCondition(key=name, match=models.MatchAny(any=sorted(several)))
        for name, several in (("kind", asked.kinds), ("status", asked.statuses))
        if several
    ]
    if asked.since is not None or asked.until is not None:
        within = models.Range(gte=asked.since, lte=asked.until)
        must.append(models.FieldCondition(key="at", range=within))
    return models.Filter(must=must)
