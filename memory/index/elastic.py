"""Elasticsearch and OpenSearch: a document for each row, found by its vector behind a filter."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import httpx

from ..model.types import Vector
from .blocking import BlockingIndex
from .options import ElasticIndexOptions
from .port import SCALARS, IndexFilter, IndexMissingError, IndexRow, not_of

_MOST = 10_000
"""Hits and candidates of one search, by the servers' defaults."""
_WIDTH = 200
"""How many candidates are looked at, at least."""
_REFUSED, _MISSING = 400, 404
_MOST_SHOWN = 300
"""Characters of an error."""


class SearchRefusedError(Exception):
    """A server answered with an error."""


class SearchClient:
    """Asks one server. Its methods block, and raise `ElasticIndex.errors`."""

    def __init__(self, options: ElasticIndexOptions) -> None:
        key = options.token
        headers = {} if key is None else {"Authorization": f"ApiKey {key.get_secret_value()}"}
        self._client = httpx.Client(
            base_url=options.address, headers=headers, timeout=options.call_seconds
        )
        self.is_opensearch = False

    def ask(self, method: str, path: str, *, missing: bool = False, **more: Any) -> Any:
        """The answer as a JSON value; None if there is none and it may be `missing`."""
        answer = self._client.request(method, path, **more)
        if missing and answer.status_code == _MISSING:
            return None
        if answer.status_code >= _REFUSED:
            raise SearchRefusedError(f"{answer.status_code} {answer.text[:_MOST_SHOWN]}")
        return answer.json()

    def close(self) -> None:
        self._client.close()


class ElasticIndex(BlockingIndex[ElasticIndexOptions]):
    """`VectorIndex` in one index of Elasticsearch or OpenSearch, whichever answers."""

    product = "Elasticsearch"
    errors = (httpx.HTTPError, httpx.InvalidURL, SearchRefusedError, ValueError, LookupError)
    batch = 256

    @classmethod
    def connected(cls, options: ElasticIndexOptions) -> SearchClient:
        client = SearchClient(options)
        try:
            about = client.ask("GET", "/")["version"]
        except BaseException:
            client.close()
            raise
        client.is_opensearch = about.get("distribution") == "opensearch"
        return client

    async def _settle(self, keys: Sequence[int]) -> None:
        if keys:
            await self._call("refresh", lambda: self._asked("POST", "_refresh"))

    def _put(self, rows: Sequence[IndexRow]) -> None:
        self._in_bulk(line for row in rows for line in ({"index": {"_id": str(row.key)}}, _of(row)))

    def _remove(self, keys: Sequence[int]) -> None:
        self._in_bulk({"delete": {"_id": str(key)}} for key in keys)

    def _nearest(
        self, vector: Vector, asked: IndexFilter, limit: int
    ) -> Iterable[tuple[str, float]]:
        most = min(limit, _MOST)
        near: dict[str, Any] = {"k": most, "filter": {"bool": {"filter": list(_clauses(asked))}}}
        sought = vector.tolist()
        if self._client.is_opensearch:
            body = {"query": {"knn": {"vector": {**near, "vector": sought}}}}
        else:
            wide = min(max(most, _WIDTH), _MOST)
            told = {"field": "vector", "query_vector": sought, "num_candidates": wide}
            body = {"knn": {**near, **told}}
        found = self._asked("POST", "_search", json={**body, "size": most, "_source": False})
        # Both tell a cosine as a number from 0 to 1.
        return [(hit["_id"], 2 * hit["_score"] - 1) for hit in found["hits"]["hits"]]

    def _size(self) -> int | None:
        told = self._asked("GET", "_mapping", missing=True)
        if told is None:
            return None
        about = told[self._collection]["mappings"].get("properties", {}).get("vector", {})
        return int(about.get("dimension", about.get("dims", 0)))

    def _make(self) -> None:
        self._asked("DELETE", missing=True)
        fields: dict[str, Any] = {name: {"type": "long"} for name in (*SCALARS, "marks")}
        if self._client.is_opensearch:
            graph = {"name": "hnsw", "engine": "lucene", "space_type": "cosinesimil"}
            vector = {"type": "knn_vector", "dimension": self._dim, "method": graph}
        else:
            vector = {"type": "dense_vector", "dims": self._dim, "similarity": "cosine"}
            vector["index"] = True
        body: dict[str, Any] = {"mappings": {"properties": {**fields, "vector": vector}}}
        if self._client.is_opensearch:
            body["settings"] = {"index": {"knn": True}}
        self._asked("PUT", json=body)

    def _asked(self, method: str, path: str = "", **more: Any) -> Any:
        return self._client.ask(method, f"/{self._collection}/{path}".rstrip("/"), **more)

    def _in_bulk(self, lines: Iterable[Any]) -> None:
        """Raises IndexMissingError: a server would make an index of its own kind by itself."""
        if (dim := self._size()) != self._dim:
            raise IndexMissingError(f"{self.product}: {self._collection} {not_of(dim)}")
        told = "".join(f"{json.dumps(line)}\n" for line in lines)
        kind = {"Content-Type": "application/x-ndjson"}
        done = self._asked("POST", "_bulk", content=told, headers=kind)
        errors = [one["error"] for each in done["items"] for one in each.values() if "error" in one]
        if errors:
            raise SearchRefusedError(str(errors[0]))


def _of(row: IndexRow) -> dict[str, Any]:
    numbers = dict(zip(SCALARS, row.scalars(), strict=True))
    return {**numbers, "marks": list(row.marks), "vector": row.vector.tolist()}


def _clauses(asked: IndexFilter) -> Iterator[dict[str, Any]]:
    for name, value in (*asked.equal(), *(("marks", mark) for mark in sorted(asked.marks))):
        yield {"term": {name: value}}
    for name, values in asked.several():
        yield {"terms": {name: values}}
    bounds = {"gte": asked.since, "lte": asked.until}
    if within := {sign: moment for sign, moment in bounds.items() if moment is not None}:
        yield {"range": {"at": within}}
