"""Runs the statements of the memories; what fails is a StoreError."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeVar

from ..database.scripts import FEW_ROWS, Row, Script, ScriptRunner, one
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

_KINDS: Mapping[type[StateError], type[StoreError]] = {
    StateGoneError: StoreGoneError,
    StateUnwritableError: StoreUnwritableError,
    StateDamagedError: StoreDamagedError,
}


class MemoryScripts:
    """Part of a `ScriptRunner`. The database belongs to somebody else."""

    def __init__(
        self, scripts: ScriptRunner, first: Callable[[], Awaitable[None]] | None = None
    ) -> None:
        """`first` is called before anything else, until it has succeeded."""
        self._scripts = scripts
        self._first = first

    async def change(
        self, script: Callable[[], Script[T]], *, tenants: Collection[str], erases: bool = False
    ) -> T:
        """Run a script in one transaction; see `ScriptRunner.change`."""
        with self.refusing():
            if self._first is not None:
                await self._begin(self._first)
            return await self._scripts.change(script, tenants=tenants, erases=erases)

    async def rows(self, sql: str, values: Mapping[str, object], *, few: bool = False) -> list[Row]:
        """The rows of a statement.

        Of a `few` it takes well under a millisecond; any other has a thread in SQLite.
        """
        with self.refusing():
            if self._first is not None:
                await self._begin(self._first)
            if few:
                return await self._scripts.statement(sql, values)
            return await self._scripts.read(partial(one, sql, values))

    async def decoded(self, rows: Sequence[S], decode: Callable[[S], T]) -> list[T]:
        """What these rows hold. Many are decoded in a thread, so that others get a turn."""
        if len(rows) <= FEW_ROWS:
            return list(map(decode, rows))
        return await self.apart(lambda: list(map(decode, rows)), size=len(rows))

    async def apart(self, work: Callable[[], T], *, size: int) -> T:
        """Compute something of so many rows, in a thread if they are many.

        A transaction awaits nothing but its database.
        """
        if size <= FEW_ROWS or isinstance(self._scripts, InsideTransaction):
            return work()
        return await asyncio.to_thread(work)

    async def _begin(self, first: Callable[[], Awaitable[None]]) -> None:
        await first()
        self._first = None

    @contextlib.contextmanager
    def refusing(self) -> Iterator[None]:
        """What fails within is a StoreError."""
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
