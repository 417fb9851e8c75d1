"""Qdrant, in a folder or on a server."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterable, Sequence
from typing import Any

from qdrant_client import QdrantClient, models
from qdrant_client.common.client_exceptions import QdrantException
from qdrant_client.http.exceptions import ApiException

from ..model.types import Vector
from .blocking import BlockingIndex
from .folders import IndexFolder
from .options import QdrantIndexOptions
from .port import SCALARS, IndexFilter, IndexRow

_WIDTH = 128
"""How many neighbours the graph of a server looks at; more find more."""


class QdrantIndex(BlockingIndex[QdrantIndexOptions]):
    """`VectorIndex` in one collection of Qdrant."""

    product = "Qdrant"
    errors = (QdrantException, ApiException, ValueError, RuntimeError, KeyError)  # local: the last
    batch = 256
    layout = "qdrant-client 1, 1"

    @classmethod
    def connected(cls, options: QdrantIndexOptions) -> QdrantClient:
        with warnings.catch_warnings():
            # An API key over plain HTTP is the operator's choice, in a network of their own.
            warnings.simplefilter("ignore", UserWarning)
            client = QdrantClient(
                url=options.uri,
                api_key=None if options.token is None else options.token.get_secret_value(),
                timeout=max(1, round(options.call_seconds)),
                check_compatibility=False,  # it asks the server before anything was called
            )
        client.get_collections()
        return client

    @classmethod
    def opened(cls, folder: IndexFolder, options: QdrantIndexOptions) -> QdrantClient:
        del options
        client = QdrantClient(path=str(folder.data), force_disable_check_same_thread=True)
        _hurry(client)
        return client

    def _put(self, rows: Sequence[IndexRow]) -> None:
        self._client.upsert(self._collection, list(map(_point, rows)), wait=True)

    def _nearest(
        self, vector: Vector, asked: IndexFilter, limit: int
    ) -> Iterable[tuple[int, float]]:
        # The local mode compares everything, and warns about a width.
        wide = models.SearchParams(hnsw_ef=max(_WIDTH, limit)) if self._options.remote else None
        found = self._client.query_points(
            self._collection,
            query=vector.tolist(),
            query_filter=_filter(asked),
            search_params=wide,
            limit=limit,
            with_payload=False,
        )
        return [(one.id, one.score) for one in found.points]

    def _remove(self, keys: Sequence[int]) -> None:
        chosen = models.PointIdsList(points=list(keys))
        self._client.delete(self._collection, points_selector=chosen, wait=True)

    def _size(self) -> int | None:
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
        if not self._options.remote:
            _hurry(self._client)
            return
        equal = models.IntegerIndexParams(
            type=models.IntegerIndexType.INTEGER, lookup=True, range=False
        )
        kinds: dict[str, Any] = dict.fromkeys((*SCALARS, "marks"), equal)
        for field, kind in {**kinds, "at": models.PayloadSchemaType.INTEGER}.items():
            self._client.create_payload_index(
                self._collection, field_name=field, field_schema=kind, wait=True
            )


def _hurry(client: Any) -> None:
    """Wait for no disk: the local mode commits each point, and a crash empties the folder."""
    with contextlib.suppress(AttributeError):  # it has no public way to its files
        for collection in client._client.collections.values():  # noqa: SLF001
            collection.storage.storage.execute("PRAGMA synchronous = OFF")


def _point(row: IndexRow) -> models.PointStruct:
    payload = {**dict(zip(SCALARS, row.scalars(), strict=True)), "marks": list(row.marks)}
    return models.PointStruct(id=row.key, vector=row.vector.tolist(), payload=payload)


def _filter(asked: IndexFilter) -> models.Filter:
    equal = [*asked.equal(), *(("marks", mark) for mark in sorted(asked.marks))]
    must: list[Any] = [
        models.FieldCondition(key=name, match=models.MatchValue(value=value))
        for name, value in equal
    ]
    must += [
        models.FieldCondition(key=name, match=models.MatchAny(any=values))
        for name, values in asked.several()
    ]
    if asked.since is not None or asked.until is not None:
        within = models.Range(gte=asked.since, lte=asked.until)
        must.append(models.FieldCondition(key="at", range=within))
    return models.Filter(must=must)
