"""An index in this process that compares every vector: for tests and small installations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..model.types import Vector
from .blocking import BlockingIndex, CallingThread
from .port import SCALARS, IndexFilter, IndexMissingError, IndexRow

_FIRST = 256
"""Rows for which there is room at first; then always twice as many."""
_COLUMN = {name: number for number, name in enumerate(SCALARS)}
_AT = _COLUMN["at"]


class ExactIndex(BlockingIndex[Any]):
    """`VectorIndex` in memory. It computes in threads, one call at a time."""

    product = "The index in memory"
    batch = 10_000

    def __init__(self, dim: int) -> None:
        calls = CallingThread(self.product, errors=(), seconds=600.0, at_once=1)
        super().__init__(_Rows(dim, 0), calls, None, "of memories", dim)

    def _rows(self) -> _Rows:
        """What `drop` made."""
        rows: _Rows = self._client
        if not rows.room:
            raise IndexMissingError("the index in memory is empty")
        return rows

    def _put(self, rows: Sequence[IndexRow]) -> None:
        for row in rows:
            self._rows().put(row)

    def _nearest(
        self, vector: Vector, asked: IndexFilter, limit: int
    ) -> Iterable[tuple[int, float]]:
        return self._rows().nearest(vector, asked, limit)

    def _remove(self, keys: Sequence[int]) -> None:
        self._rows().remove(keys)

    def _make(self) -> None:
        self._client = _Rows(self._dim, _FIRST)

    def _size(self) -> int:
        return self._rows().dim

    def _shut(self, client: _Rows) -> None:
        """Nothing holds it any more."""


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

    @property
    def room(self) -> int:
        """For so many rows."""
        return len(self._keys)

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
