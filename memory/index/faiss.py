"""FAISS, over rows that are kept in a file of SQLite in a folder."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import faiss
import numpy as np

from ..model.types import Vector
from .blocking import BlockingIndex
from .folders import IndexFolder
from .options import FaissIndexOptions
from .port import SCALARS, IndexFilter, IndexMissingError, IndexRow, not_of

_COLUMNS = ", ".join(f'"{name}" INTEGER' for name in SCALARS)
_TABLES = (
    "DROP TABLE IF EXISTS points",
    "DROP TABLE IF EXISTS marks",
    f"CREATE TABLE points (key INTEGER PRIMARY KEY, {_COLUMNS}, vector BLOB)",
    'CREATE INDEX of_users ON points (tenant, "user")',
    "CREATE TABLE marks (key INTEGER, mark INTEGER, PRIMARY KEY (key, mark)) WITHOUT ROWID",
    "DELETE FROM collection",
)
_PUT = f"INSERT INTO points VALUES (?{', ?' * (len(SCALARS) + 1)})"  # noqa: S608 - constants


class FaissIndex(BlockingIndex[FaissIndexOptions]):
    """`VectorIndex` that compares all rows which pass a filter.

    A file has the rows, and FAISS their vectors in memory for as long as it is open.
    """

    product = "FAISS"
    errors = (sqlite3.Error, RuntimeError, ValueError)
    batch = 1024
    layout = "faiss 1, 1"

    @classmethod
    def opened(cls, folder: IndexFolder, options: FaissIndexOptions) -> _Shelf:
        del options
        folder.data.mkdir(exist_ok=True)
        return _Shelf(folder.data / "rows.db")

    def _put(self, rows: Sequence[IndexRow]) -> None:
        vectors, database = self._vectors(), self._client.database
        keys = [row.key for row in rows]
        with database:
            self._remove(keys)
            values = ((row.key, *row.scalars(), row.vector.tobytes()) for row in rows)
            database.executemany(_PUT, values)
            marks = ((row.key, mark) for row in rows for mark in row.marks)
            database.executemany("INSERT INTO marks VALUES (?, ?)", marks)
        vectors.add_with_ids(np.stack([row.vector for row in rows]), np.asarray(keys, np.int64))

    def _nearest(
        self, vector: Vector, asked: IndexFilter, limit: int
    ) -> Iterable[tuple[int, float]]:
        vectors, values = self._vectors(), list[int]()
        where = " AND ".join(_clauses(asked, values))
        rows = self._client.database.execute(f"SELECT key FROM points WHERE {where}", values)  # noqa: S608 - constants
        keys = np.fromiter((key for (key,) in rows), np.int64)
        if not len(keys):
            return []
        these = faiss.SearchParameters()
        these.sel = chosen = faiss.IDSelectorBatch(keys)
        scores, found = vectors.search(vector[None], min(limit, len(keys)), params=these)
        del chosen  # FAISS has a pointer to it
        return zip(found[0].tolist(), scores[0].tolist(), strict=True)

    def _remove(self, keys: Sequence[int]) -> None:
        vectors, database = self._vectors(), self._client.database
        places = ", ".join("?" * len(keys))
        there = database.execute(f"SELECT key FROM points WHERE key IN ({places})", keys).fetchall()  # noqa: S608
        if not there:
            return
        with database:
            for table in ("points", "marks"):
                database.execute(f"DELETE FROM {table} WHERE key IN ({places})", keys)  # noqa: S608
        vectors.remove_ids(np.asarray([key for (key,) in there], np.int64))

    def _make(self) -> None:
        shelf: _Shelf = self._client
        with shelf.database:
            for statement in _TABLES:
                shelf.database.execute(statement)
            named = (self._collection, self._dim)
            shelf.database.execute("INSERT INTO collection VALUES (?, ?)", named)
        shelf.vectors = None

    def _size(self) -> int | None:
        asked = "SELECT dim FROM collection WHERE name = ?"
        row = self._client.database.execute(asked, (self._collection,)).fetchone()
        return None if row is None else int(row[0])

    def _vectors(self) -> Any:
        """Those of the collection. Raises IndexMissingError."""
        shelf: _Shelf = self._client
        if shelf.vectors is None:
            if (dim := self._size()) != self._dim:
                raise IndexMissingError(f"FAISS: the collection {self._collection} {not_of(dim)}")
            shelf.vectors = shelf.read(self._dim)
        return shelf.vectors


class _Shelf:
    """The file, and the vectors in it once they were read."""

    def __init__(self, path: Path) -> None:
        self.vectors: Any = None
        self.database = sqlite3.connect(path, check_same_thread=False)
        self.database.execute("PRAGMA journal_mode = WAL")
        # The folder is emptied after a crash of the machine: nothing has to reach the disk.
        self.database.execute("PRAGMA synchronous = OFF")
        with self.database:
            self.database.execute("CREATE TABLE IF NOT EXISTS collection (name TEXT, dim INTEGER)")

    def read(self, dim: int) -> Any:
        """All vectors; they are normalised, so that the inner product is the cosine."""
        vectors = faiss.IndexIDMap2(faiss.IndexFlatIP(dim))
        rows = self.database.execute("SELECT key, vector FROM points")
        while some := rows.fetchmany(FaissIndex.batch):
            keys, raw = zip(*some, strict=True)
            read = np.frombuffer(b"".join(raw), np.float32).reshape(len(keys), dim)
            vectors.add_with_ids(read, np.asarray(keys, np.int64))
        return vectors

    def close(self) -> None:
        self.database.close()


def _clauses(asked: IndexFilter, values: list[int]) -> Iterator[str]:
    for name, value in asked.equal():
        values.append(value)
        yield f'"{name}" = ?'
    for name, several in asked.several():
        values += several
        yield f'"{name}" IN ({", ".join("?" * len(several))})'
    for sign, moment in ((">=", asked.since), ("<=", asked.until)):
        if moment is not None:
            values.append(moment)
            yield f"at {sign} ?"
    for mark in sorted(asked.marks):
        values.append(mark)
        yield "EXISTS (SELECT 1 FROM marks WHERE marks.key = points.key AND mark = ?)"
