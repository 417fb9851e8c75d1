"""One transaction over several ports: their calls yield statements inside it, as scripts do.

A coroutine is sent values as a generator is. So what runs scripts runs a coroutine too, as long as
everything that it awaits comes from here in the end:

    async def work() -> int:
        await inside.history.append(records)     # a port over `INSIDE`
        return await inside.memories.count(scope)

    await scripts.change(lambda: transacted(work()), tenants={tenant})

`work` runs where the database runs it (in SQLite's thread), and may run twice. It must change
nothing but the database, and await nothing else: no embedder, no lock, no other task.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Collection, Coroutine, Generator, Mapping
from typing import Any, TypeVar

from ..model.errors import StateError
from .scripts import LINE, Row, Script, SqlStatement, listed, one

T = TypeVar("T")


@types.coroutine
def _yielded(script: Script[T]) -> Generator[SqlStatement, list[Row], T]:
    """Awaited, it yields the statements of a script to whoever runs the transaction."""
    return (yield from script)


class InsideTransaction:
    """`ScriptRunner` for ports that are called within one transaction. It keeps nothing.

    Whoever runs the transaction has asked for its tenants, and for erasing.
    """

    refused = 0
    keys = None
    alone = False

    async def change(
        self, script: Callable[[], Script[T]], *, tenants: Collection[str], erases: bool = False
    ) -> T:
        del tenants, erases
        return await _yielded(script())

    async def read(self, script: Callable[[], Script[T]]) -> T:
        return await _yielded(script())

    async def rows(
        self, sql: str, values: Mapping[str, object], decode: Callable[[Row], T]
    ) -> list[T]:
        return await _yielded(listed(sql, values, decode))

    async def statement(
        self, sql: str, values: Mapping[str, object], *, once: str | None = None
    ) -> list[Row]:
        return await _yielded(one(sql, values, in_line=once == LINE))

    async def shift_ms(self) -> int:
        return 0  # whoever brings moments here has asked for it

    async def ping(self) -> None:
        """The transaction runs: the database answers."""

    def look(self) -> None:
        """Whoever runs the transaction looks."""

    async def close(self) -> None:
        """There is nothing to release."""


INSIDE = InsideTransaction()


def transacted(work: Coroutine[Any, Any, T]) -> Script[T]:
    """The script of a coroutine that awaits only ports over `INSIDE`.

    A task that only lets others run (``asyncio.sleep(0)``) goes on at once.

    Raises:
        StateError: it awaits something else, which nothing here could end.
    """
    rows: list[Row] | None = None
    try:
        while True:
            try:
                asked = work.send(rows)
            except StopIteration as end:
                done: T = end.value
                return done
            if asked is None:
                rows = None
            elif isinstance(asked, SqlStatement):
                rows = yield asked
            else:
                raise StateError("a transaction awaited something that is not the database")
    finally:
        work.close()
