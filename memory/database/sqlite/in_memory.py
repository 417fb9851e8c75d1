"""SQLite without a file: the same tables and statements, for tests and throw-away memories.

Nothing can wait for a disk, so everything runs at once on the caller's thread.
"""

from __future__ import annotations

import contextlib
import sqlite3
import weakref
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from ...model.errors import StateError
from ..writes import Writes
from .connect import translated
from .database import REFUSED, Database

T = TypeVar("T")


class InMemoryDatabase(Database):
    """A `Database` that lives as long as the object. It has no thread and no file to lose."""

    def __init__(self, tables: str) -> None:
        self.path = Path(":memory:")
        self.writes = Writes()
        self._connection, release = self._connect(tables)
        self._finalizer = weakref.finalize(self, release)

    @staticmethod
    def _connect(tables: str) -> tuple[sqlite3.Connection, Callable[[], None]]:
        """An empty database, and what ends its use."""
        connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        connection.executescript(tables)
        return connection, connection.close

    async def run(self, work: Callable[[sqlite3.Connection], T], *, erases: bool = False) -> T:
        del erases  # there is no file for it to remain in
        with self._translating():
            self._connection.execute("SAVEPOINT work")
            try:
                return work(self._connection)
            except BaseException:
                self._connection.execute("ROLLBACK TO work")
                raise
            finally:
                self._connection.execute("RELEASE work")

    async def statement(self, sql: str, values: Mapping[str, object]) -> list[Any]:
        with self._translating():
            return self._connection.execute(sql, values).fetchall()

    def look(self) -> None:
        """No file can go away."""

    async def ping(self) -> None:
        """It always answers and accepts writes."""

    async def close(self) -> None:
        """Drop everything."""
        self._finalizer()

    @contextlib.contextmanager
    def _translating(self) -> Iterator[None]:
        if not self._finalizer.alive:
            raise StateError(f"{self.path.name} is closed")
        try:
            yield
        except REFUSED as error:
            raise translated(error, self.path.name) from error
