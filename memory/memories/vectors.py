"""Manages vectors by embedder: those in use, and others that are to take their place."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..database.rows import WRITE_NOTE, scope_columns
from ..database.scripts import Row, Script, SqlStatement, one
from ..database.sqlite.connect import reading_uri
from ..model.errors import StoreError, StoreMismatchError
from ..model.times import to_ms
from ..model.types import MemoryItem, Vector
from .rows import ITEM, item_of, kept_vector
from .script_runner import MemoryScripts
from .writing import PUT_VECTOR

Identity = tuple[str, int]
"""The id and the dimensions of an embedder."""

_NOTE = "embedder"
_READ = "SELECT value FROM notes WHERE name = :name"
_CLAIM = "INSERT INTO notes VALUES (:name, :value) ON CONFLICT DO NOTHING"
_LACKS = """
    FROM memories WHERE NOT EXISTS (
        SELECT 1 FROM memory_vectors
        WHERE memory_vectors.position = memories.position
        AND memory_vectors.embedder_id = :embedder_id
    )
"""
_STILL = """
    SELECT position FROM memories
    WHERE position = :position AND version = :version AND updated_at = :updated_at
"""


class MemoryVectors:
    """The vectors of a database of memories. For operators: no tenant bounds it."""

    def __init__(self, scripts: MemoryScripts) -> None:
        self._scripts = scripts

    async def identity(self) -> Identity | None:
        """Whose vectors are used; None: nothing was ever opened here."""
        return _identity(await self._scripts.rows(_READ, {"name": _NOTE}, few=True))

    async def claim(self, wanted: Identity) -> None:
        """Use these, if no others are used. Raises StoreMismatchError."""
        found = await self._scripts.change(lambda: _claimed(wanted), tenants=())
        if found != wanted:
            held, asked = ("{}@{}".format(*each) for each in (found, wanted))
            raise StoreMismatchError(
                f"the memories have vectors of {held}, the configured embedder is {asked}: "
                "configure that embedder, or run `recollect reindex` to embed them with the new one"
            )

    async def count(self) -> int:
        """How many memories there are."""
        [(number,)] = await self._scripts.rows("SELECT count(*) FROM memories", {})
        return int(number)

    async def count_missing(self, embedder_id: str) -> int:
        """How many have no vector of an embedder."""
        sql = f"SELECT count(*) {_LACKS}"
        [(number,)] = await self._scripts.rows(sql, {"embedder_id": embedder_id})
        return int(number)

    async def missing(
        self, embedder_id: str, *, after: int = 0, limit: int
    ) -> list[tuple[int, MemoryItem]]:
        """The first of these, with their positions, those after a position."""
        sql = f"""
            SELECT {ITEM}, position {_LACKS} AND position > :after ORDER BY position LIMIT {limit}
        """
        rows = await self._scripts.rows(sql, {"embedder_id": embedder_id, "after": after})
        items = await self._scripts.decoded(rows, item_of)
        return [(row[-1], item) for row, item in zip(rows, items, strict=True)]

    async def put(
        self,
        embedder_id: str,
        dim: int,
        vectors: Sequence[tuple[int, MemoryItem, Vector]],
    ) -> int:
        """Keep vectors of another embedder beside; how many memories had not changed meanwhile."""
        rows = [
            (
                item,
                {
                    **scope_columns(item.scope),
                    "position": position,
                    "vector": kept_vector(vector, dim),
                },
            )
            for position, item, vector in vectors
        ]
        return await self._scripts.change(lambda: _put(embedder_id, rows), tenants=())

    async def switch(self, embedder_id: str, dim: int) -> None:
        """Use these vectors from now on, and drop all others; nobody may have the memories open.

        Every index is filled anew.

        Raises StoreError: a memory has none.
        """
        left = await self._scripts.change(lambda: _switch(embedder_id, dim), tenants=())
        if left:
            raise StoreError(f"{left} memories have no vector of {embedder_id} yet")

    async def unmark(self) -> None:
        """Let every index be filled anew."""
        await self._scripts.change(lambda: one("DELETE FROM index_marks", {}), tenants=())

    async def drop(self, embedder_id: str) -> None:
        """Remove what was put beside. Raises StoreError: they are used."""
        found = await self.identity()
        if found is not None and found[0] == embedder_id:
            raise StoreError(f"the vectors of {embedder_id} are in use")
        sql = "DELETE FROM memory_vectors WHERE embedder_id = :embedder_id"
        await self._scripts.change(lambda: one(sql, {"embedder_id": embedder_id}), tenants=())


def identity_in(path: Path) -> Identity | None:
    """Whose vectors a file of SQLite has, also while another process uses it. Raises StoreError."""
    try:
        with contextlib.closing(sqlite3.connect(reading_uri(path), uri=True)) as connection:
            return _identity(connection.execute(_READ, {"name": _NOTE}).fetchall())
    except sqlite3.Error as error:
        raise StoreError(f"{path} cannot be read: {error}") from error


def _identity(rows: Sequence[Row]) -> Identity | None:
    if not rows:
        return None
    embedder_id, dim = json.loads(rows[0][0])
    return str(embedder_id), int(dim)


def _claimed(wanted: Identity) -> Script[Identity]:
    rows = yield SqlStatement(_READ, {"name": _NOTE})
    found = _identity(rows)
    if found is None:
        # Another process may have done so meanwhile.
        yield SqlStatement(_CLAIM, _note(wanted))
        found = _identity((yield SqlStatement(_READ, {"name": _NOTE})))
    return found or wanted


def _put(embedder_id: str, rows: Sequence[tuple[MemoryItem, Mapping[str, object]]]) -> Script[int]:
    same = []
    for item, row in rows:
        values = {
            "position": row["position"],
            "version": item.version,
            "updated_at": to_ms(item.updated_at),
        }
        if (yield SqlStatement(_STILL, values)):
            same.append({**row, "embedder_id": embedder_id})
    if same:
        yield SqlStatement(PUT_VECTOR, many=same)
    return len(same)


def _switch(embedder_id: str, dim: int) -> Script[int]:
    values = {"embedder_id": embedder_id}
    [(left,)] = yield SqlStatement(f"SELECT count(*) {_LACKS}", values)
    if left:
        return int(left)
    yield SqlStatement(WRITE_NOTE, _note((embedder_id, dim)))
    yield SqlStatement("DELETE FROM index_marks")
    yield SqlStatement("UPDATE memories SET embedder_id = :embedder_id", values)
    yield SqlStatement("DELETE FROM memory_vectors WHERE embedder_id != :embedder_id", values)
    return 0


def _note(identity: Identity) -> dict[str, object]:
    return {"name": _NOTE, "value": json.dumps(identity)}
