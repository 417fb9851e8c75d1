"""The tables of memories in a database."""

from __future__ import annotations

import re

from ...model.kept import CollectionPart
from ..shared.keeping import Labelled, part_of
from .database import Tables
from .preparing import prepare
from .schema import MARK, NEXT_SUFFIX, identity_of

_SUFFIXES = {NEXT_SUFFIX: CollectionPart.TARGET}
_SAFE = re.compile(r"[a-z_][a-z0-9_]*")
"""The names that the options admit, with a suffix: they are safe in SQL."""


class PgvectorShelf:
    """A `Shelf`."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def labels(self) -> dict[str, Labelled]:
        found = await self._tables.fetch(
            "SELECT relname, obj_description(oid, 'pg_class') FROM pg_class "
            "WHERE relkind = 'r' AND pg_table_is_visible(oid) "
            "AND starts_with(obj_description(oid, 'pg_class'), $1)",
            MARK,
        )
        held = {name: identity_of(comment) for name, comment in found if _SAFE.fullmatch(name)}
        return {
            name: Labelled(*one, part_of(name, self._tables.table, _SUFFIXES))
            for name, one in held.items()
            if one is not None
        }

    async def count(self, name: str) -> int:
        [row] = await self._tables.fetch(f"SELECT count(*) FROM {name}")  # noqa: S608 - see `_SAFE`
        return int(row[0])

    async def make(self, name: str, embedder_id: str, dim: int) -> None:
        await prepare(self._tables.beside(name), embedder_id, dim)

    async def remove(self, name: str, part: CollectionPart) -> None:
        del part
        await self._tables.fetch(f"DROP TABLE IF EXISTS {name}")

    async def close(self) -> None:
        await self._tables.close()
