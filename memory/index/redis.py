"""Redis with its search: a hash for each row, and an index over those of one prefix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import redis

from ..model.types import Vector
from .blocking import BlockingIndex
from .options import RedisIndexOptions
from .port import SCALARS, IndexFilter, IndexMissingError, IndexRow, not_of

_TAGS = (*(name for name in SCALARS if name != "at"), "marks")
_WIDTH = 200
"""How many neighbours the graph looks at, when it is made and when it is searched."""
_FAR = "far"
"""What a search calls the distance."""


class RedisIndex(BlockingIndex[RedisIndexOptions]):
    """`VectorIndex` in one index of Redis, named as the collection."""

    product = "Redis"
    errors = (redis.RedisError, ValueError)
    batch = 256

    @classmethod
    def connected(cls, options: RedisIndexOptions) -> Any:
        client = redis.Redis.from_url(
            options.address,
            protocol=2,  # lists, and no other shape of them
            socket_timeout=options.call_seconds,
            socket_connect_timeout=options.call_seconds,
        )
        client.ping()
        return client

    def _put(self, rows: Sequence[IndexRow]) -> None:
        self._expect_collection()
        with self._client.pipeline() as all_or_none:
            for row in rows:
                all_or_none.delete(self._key(row.key))
                all_or_none.hset(self._key(row.key), mapping=_hash(row))
            all_or_none.execute()

    def _nearest(self, vector: Vector, asked: IndexFilter, limit: int) -> list[tuple[str, float]]:
        query = f"({' '.join(_clauses(asked))})=>[KNN {limit} @vector $sought AS {_FAR}]"
        answer = self._client.execute_command(
            "FT.SEARCH", self._collection, query, "PARAMS", 2, "sought", vector.tobytes(),
            "SORTBY", _FAR, "LIMIT", 0, limit, "RETURN", 1, _FAR, "DIALECT", 2,
        )  # fmt: skip
        keys = [key.decode().rpartition(":")[2] for key in answer[1::2]]
        return [(key, 1.0 - float(far)) for key, (_, far) in zip(keys, answer[2::2], strict=True)]

    def _remove(self, keys: Sequence[int]) -> None:
        self._expect_collection()
        self._client.delete(*map(self._key, keys))

    def _size(self) -> int | None:
        if self._collection.encode() not in self._client.execute_command("FT._LIST"):
            return None
        told = self._client.execute_command("FT.INFO", self._collection)
        for field in dict(zip(told[::2], told[1::2], strict=True))[b"attributes"]:
            about = dict(zip(field[::2], field[1::2], strict=False))
            if about.get(b"attribute") == b"vector":
                return int(about[b"dim"])
        return 0

    def _make(self) -> None:
        if self._size() is not None:
            self._client.execute_command("FT.DROPINDEX", self._collection, "DD")
        tags = [word for name in _TAGS for word in (name, "TAG")]
        graph = ["TYPE", "FLOAT32", "DIM", self._dim, "DISTANCE_METRIC", "IP"]
        graph += ["EF_CONSTRUCTION", _WIDTH, "EF_RUNTIME", _WIDTH]
        self._client.execute_command(
            "FT.CREATE", self._collection, "PREFIX", 1, self._key(""), "SKIPINITIALSCAN",
            "SCHEMA", *tags, "at", "NUMERIC", "vector", "VECTOR", "HNSW", len(graph), *graph,
        )  # fmt: skip

    def _key(self, key: int | str) -> str:
        return f"{self._collection}:{key}"

    def _expect_collection(self) -> None:
        """Hashes are kept without an index, too. Raises IndexMissingError."""
        if (dim := self._size()) != self._dim:
            raise IndexMissingError(f"Redis: the index {self._collection} {not_of(dim)}")


def _hash(row: IndexRow) -> dict[str, Any]:
    numbers = dict(zip(SCALARS, row.scalars(), strict=True))
    told: dict[str, Any] = {name: _tag(value) for name, value in numbers.items()}
    marks = {"marks": ",".join(map(_tag, row.marks))} if row.marks else {}
    return {**told, "at": row.at, **marks, "vector": row.vector.tobytes()}


def _tag(number: int) -> str:
    """A number of Redis has 53 bits, and a minus would be syntax."""
    return format(number % 2**64, "x")


def _clauses(asked: IndexFilter) -> Iterator[str]:
    for name, value in asked.equal():
        yield f"@{name}:{{{_tag(value)}}}"
    for name, several in asked.several():
        yield f"@{name}:{{{'|'.join(map(_tag, several))}}}"
    if asked.since is not None or asked.until is not None:
        first = "-inf" if asked.since is None else asked.since
        last = "+inf" if asked.until is None else asked.until
        yield f"@at:[{first} {last}]"
    for mark in sorted(asked.marks):
        yield f"@marks:{{{_tag(mark)}}}"
