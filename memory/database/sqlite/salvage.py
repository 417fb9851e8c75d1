"""Reads the readable rows of a damaged SQLite file."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

MOST_PROBES = 100_000
"""Maximum ranges of row numbers that are tried in one table: some seconds."""

_LAST = 2**63 - 1
"""The largest row number; ours begin with 1."""

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Saved:
    """The result for one table."""

    table: str
    rows: int
    whole: bool
    """Whether it was read from its first row to its last without an error."""


def salvage(
    damaged: sqlite3.Connection, sound: sqlite3.Connection, *, without: Collection[str] = ()
) -> list[Saved]:
    """Copy every readable row into the tables of the same names in `sound`, `without` some tables.

    `sound` is new; columns that cannot be found in the damaged one get their defaults.

    Raises:
        sqlite3.OperationalError: the new file cannot be written.
    """
    # Damaged text within a row must not lose the row, or the rows after it.
    damaged.text_factory = lambda raw: raw.decode("utf-8", "replace")
    return [_table(damaged, sound, name) for name in tables_of(sound) if name not in without]


def tables_of(connection: sqlite3.Connection) -> list[str]:
    """The names of the tables, without SQLite's own."""
    rows = connection.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "
        "ORDER BY name"
    )
    return [name for (name,) in rows]


def _table(damaged: sqlite3.Connection, sound: sqlite3.Connection, table: str) -> Saved:
    shared = _shared_columns(damaged, sound, table)
    if not shared:
        return Saved(table, 0, whole=False)
    reading = _Reading(damaged, table, ", ".join(shared))
    marks = ", ".join("?" * len(shared))
    insert = f"INSERT OR IGNORE INTO {table} ({', '.join(shared)}) VALUES ({marks})"  # noqa: S608 - names of our own schema
    kept = 0
    sound.execute("BEGIN")
    for row in reading.rows():
        try:
            kept += sound.execute(insert, row).rowcount
        except (sqlite3.IntegrityError, UnicodeEncodeError, OverflowError):
            # A page of something else that only looks like a row of this table.
            reading.whole = False
    sound.execute("COMMIT")
    return Saved(table, kept, whole=reading.whole)


def _shared_columns(
    damaged: sqlite3.Connection, sound: sqlite3.Connection, table: str
) -> list[str]:
    wanted = [row[1] for row in sound.execute(f"PRAGMA table_info({table})")]
    try:
        there = {row[1] for row in damaged.execute(f"PRAGMA table_info({table})")}
    except sqlite3.DatabaseError:
        return []
    return [name for name in wanted if name in there]


class _Reading:
    """The readable rows of one table."""

    def __init__(self, connection: sqlite3.Connection, table: str, columns: str) -> None:
        self._connection = connection
        self._table = table
        self._columns = columns
        self.whole = True

    def rows(self) -> Iterator[Row]:
        if not self._has_rowid():
            yield from self._some(self._columns, "TRUE")
            if not self.whole:
                yield from self._some(self._columns, f"TRUE ORDER BY {self._key_backwards()}")
            return
        # Forwards, then backwards; what lies between is cut in two until it is one row or is read.
        ranges, probes = [(0, _LAST)], MOST_PROBES
        while ranges and probes:
            probes -= 1
            low, high = ranges.pop()
            before, self.whole = self.whole, True
            for rowid, *row in self._some(*self._within(low, high)):
                low = rowid + 1
                yield tuple(row)
            if not self.whole:
                for rowid, *row in self._some(*self._within(low, high, "DESC")):
                    high = rowid - 1
                    yield tuple(row)
                if low < high:
                    middle = (low + high) // 2
                    ranges += [(middle + 1, high), (low, middle)]
            self.whole &= before

    def _within(self, low: int, high: int, order: str = "") -> tuple[str, str]:
        return (
            f"rowid, {self._columns}",
            f"rowid BETWEEN {low} AND {high} ORDER BY rowid {order}",
        )

    def _some(self, columns: str, where: str) -> Iterator[Row]:
        """Rows up to the first that cannot be read."""
        try:
            yield from self._connection.execute(
                f"SELECT {columns} FROM {self._table} NOT INDEXED WHERE {where}"  # noqa: S608 - names of our own schema
            )
        except sqlite3.DatabaseError:
            self.whole = False

    def _has_rowid(self) -> bool:
        with contextlib.suppress(sqlite3.DatabaseError):
            self._connection.execute(f"SELECT rowid FROM {self._table} WHERE FALSE").fetchall()  # noqa: S608 - names of our own schema
            return True
        return False

    def _key_backwards(self) -> str:
        info = self._connection.execute(f"PRAGMA table_info({self._table})").fetchall()
        key = sorted((row[5], row[1]) for row in info if row[5])
        return ", ".join(f"{name} DESC" for _, name in key)
