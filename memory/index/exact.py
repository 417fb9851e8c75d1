"""An index in this process that compares every vector: for tests and small installations."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence

import numpy as np

from ..model.types import Vector
from .port import SCALARS, IndexFilter, IndexMissingError, IndexRow

_FIRST = 256
"""Rows for which there is room at first; then always twice as many."""
_COLUMN = {name: number for number, name in enumerate(SCALARS)}
_AT = _COLUMN["at"]


class ExactIndex:
    """`VectorIndex` in memory. It computes in threads, one call at a time."""

    def __init__(self, dim: int) -> None:
        self._rows = _Rows(dim, 0)
        self._made = False
        self._turn = threading.Lock()

    async def put(self, rows: Sequence[IndexRow]) -> None:
        await asyncio.to_thread(self._put, rows)

    async def search(
        self, vector: Vector, asked: IndexFilter, *, limit: int
    ) -> list[tuple[int, float]]:
        return await asyncio.to_thread(self._search, vector, asked, limit)

    async def delete(self, keys: Sequence[int]) -> None:
        self._check_made()
        with self._turn:
            self._rows.remove(keys)

    async def drop(self) -> None:
        with self._turn:
            self._rows, self._made = _Rows(self._rows.dim, _FIRST), True

    async def ping(self) -> None:
        self._check_made()

    async def close(self) -> None:
        with self._turn:
            self._rows, self._made = _Rows(self._rows.dim, 0), False

    def _check_made(self) -> None:
        if not self._made:
            raise IndexMissingError("the index in memory is empty")

    def _put(self, rows: Sequence[IndexRow]) -> None:
        self._check_made()
        with self._turn:
            for row in rows:
                self._rows.put(row)

    def _search(self, vector: Vector, asked: IndexFilter, limit: int) -> list[tuple[int, float]]:
        self._check_made()
        with self._turn:
            return self._rows.nearest(vector, asked, limit)


class _Rows:
    """The rows as columns. A place whose tenant is 0 is free, and no search finds it."""

    def __init__(self, dim: int, room: int) -> None:
        self.dim = dim
        self._vectors = np.zeros((room, dim), np.float32)
        self._columns = np.zeros((len(SCALARS), room), np.int64)
        self._keys = np.zeros(room, np.int64)
        self._marks: list[frozenset[int]] = [frozenset()] * room
        self._places: dict[int, int] = {}
        self._free = list(range(room - 1, -1, -1))

    def put(self, row: IndexRow) -> None:
        place = self._places.get(row.key)
        if place is None:
            if not self._free:
                self._grow()
            place = self._places[row.key] = self._free.pop()
        self._vectors[place] = row.vector
        self._columns[:, place] = row.scalars()
        self._keys[place] = row.key
        self._marks[place] = frozenset(row.marks)

    def remove(self, keys: Sequence[int]) -> None:
        for key in keys:
            if (place := self._places.pop(key, None)) is not None:
                self._columns[:, place] = 0
                self._vectors[place] = 0
                self._free.append(place)

    def nearest(self, vector: Vector, asked: IndexFilter, limit: int) -> list[tuple[int, float]]:
        places = self._matching(asked)
        if limit <= 0 or not len(places):
            return []
        few = 4 * len(places) < len(self._keys)
        # To copy many vectors takes longer than to compare all of them.
        scores = self._vectors[places] @ vector if few else (self._vectors @ vector)[places]
        if len(scores) > limit:
            best = np.argpartition(-scores, limit - 1)[:limit]
            places, scores = places[best], scores[best]
        order = np.argsort(-scores, kind="stable")
        keys = self._keys[places[order]].tolist()
        return list(zip(keys, np.clip(scores[order], -1.0, 1.0).tolist(), strict=True))

    def _matching(self, asked: IndexFilter) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
        columns = self._columns
        keep = np.ones(len(self._keys), np.bool_)
        for name, value in asked.equal():
            keep &= columns[_COLUMN[name]] == value
        for name, values in asked.several():
            keep &= np.isin(columns[_COLUMN[name]], values)
        if asked.since is not None:
            keep &= columns[_AT] >= asked.since
        if asked.until is not None:
            keep &= columns[_AT] <= asked.until
        places = np.flatnonzero(keep)
        if asked.marks:
            having = [p for p in places.tolist() if asked.marks <= self._marks[p]]
            return np.asarray(having, np.intp)
        return places

    def _grow(self) -> None:
        old = len(self._keys)
        more = max(old, _FIRST)
        self._vectors = np.concatenate([self._vectors, np.zeros((more, self.dim), np.float32)])
        self._columns = np.concatenate(
            [self._columns, np.zeros((len(SCALARS), more), np.int64)], axis=1
        )
        self._keys = np.concatenate([self._keys, np.zeros(more, np.int64)])
        self._marks += [frozenset()] * more
        self._free = list(range(old + more - 1, old - 1, -1))
