"""Runs the statements of the memories; what fails is a StoreError."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TypeVar

from ..database.scripts import Row, Script, ScriptRunner, SqlStatement
from ..database.transactions import InsideTransaction
from ..model.errors import (
    StateDamagedError,
    StateError,
    StateGoneError,
    StateUnwritableError,
    StoreDamagedError,
    StoreError,
    StoreGoneError,
    StoreUnwritableError,
)

S = TypeVar("S")
T = TypeVar("T")

FEW_ROWS = 64
"""Up to so many are decoded where they are awaited: about a millisecond."""
_KINDS: Mapping[type[StateError], type[StoreError]] = {
    StateGoneError: StoreGoneError,
    StateUnwritableError: StoreUnwritableError,
    StateDamagedError: StoreDamagedError,
}


class MemoryScripts:
    """A `ScriptRunner` until it is closed. The database belongs to somebody else."""

    def __init__(self, scripts: ScriptRunner) -> None:
        self._scripts = scripts
        self._closed = False

    async def change(
        self, script: Callable[[], Script[T]], *, tenants: Collection[str], erases: bool = False
    ) -> T:
        """Run a script in one transaction; see `ScriptRunner.change`."""
        with self._refusing():
            return await self._scripts.change(script, tenants=tenants, erases=erases)

    async def few(self, sql: str, values: Mapping[str, object]) -> list[Row]:
        """The rows of a statement that takes well under a millisecond."""
        with self._refusing():
            return await self._scripts.statement(sql, values)

    async def many(self, sql: str, values: Mapping[str, object]) -> list[Row]:
        """The rows of any other statement: in SQLite it has a thread."""
        with self._refusing():
            return await self._scripts.read(lambda: _rows(sql, values))

    async def decoded(self, rows: Sequence[S], decode: Callable[[S], T]) -> list[T]:
        """What these rows hold. Many are decoded in a thread, so that others get a turn."""
        if len(rows) <= FEW_ROWS:
            return list(map(decode, rows))
        return await self.apart(lambda: list(map(decode, rows)))

    async def apart(self, work: Callable[[], T]) -> T:
        """Compute in a thread, unless this is a transaction: it awaits nothing but its database."""
        if isinstance(self._scripts, InsideTransaction):
            return work()
        return await asyncio.to_thread(work)

    async def ping(self) -> None:
        """Return if the database answers and accepts writes."""
        with self._refusing():
            await self._scripts.ping()

    def check_open(self) -> None:
        """Raise StoreError after `close`."""
        if self._closed:
            raise StoreError("the memory store is closed")

    def close(self) -> None:
        """Refuse everything from now on."""
        self._closed = True

    @contextlib.contextmanager
    def _refusing(self) -> Iterator[None]:
        self.check_open()
        try:
            yield
        except StateError as error:
            raise refusal_of(error) from error


def refusal_of(error: StateError) -> StoreError:
    """The same, of memories."""
    found = next((kind for of, kind in _KINDS.items() if isinstance(error, of)), StoreError)
    refusal = found(str(error))
    refusal.advice = error.advice
    return refusal


def _rows(sql: str, values: Mapping[str, object]) -> Script[list[Row]]:
    return (yield SqlStatement(sql, values))
