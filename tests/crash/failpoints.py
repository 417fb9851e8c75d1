"""Where a run can be made to fail: at each commit of the database, and at each call of a model.

Nobody lists the points: a run that nothing disturbs notes them (`Journal.counts`).
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from functools import wraps
from typing import Any

from recollect.memory.database.postgres.scripts import PostgresScripts
from recollect.memory.database.sqlite.scripts import SqliteScripts
from recollect.memory.embedders import FakeEmbedder

WHENS = ("before", "within", "after")
DEEPEST = 4
"""The first calls of each kind are points; the last one is, too."""
_BETWEEN = ("MemoryScripts.", "PostgresScripts.", "SqliteScripts.")
"""What hands a change on; who asked for it stands before."""


@dataclass(frozen=True)
class Point:
    """The `nth` call (from 1) of something: before it, or after it has returned.

    `within` a change is when everything is done and nothing is committed.
    """

    what: str
    nth: int
    when: str

    @property
    def name(self) -> str:
        return f"{self.when} {self.what} #{self.nth}"


def points_of(counts: Mapping[str, int], changes: Collection[str]) -> list[Point]:
    """Every point of a run that made so many calls of each kind; some of them are changes."""
    return [
        Point(what, nth, when)
        for what, count in sorted(counts.items())
        for nth in sorted({*range(1, min(count, DEEPEST) + 1), count})
        for when in WHENS
        if when != "within" or what in changes
    ]


class Journal:
    """Counts what a process does, and lets the fault strike at its point, once."""

    def __init__(self, point: Point | None, fail: Callable[[], Awaitable[None] | None]) -> None:
        self.counts: Counter[str] = Counter()
        self.changes: set[str] = set()
        self._point = point
        self._fail = fail

    def watch(self) -> None:
        """From now on, for the rest of this process."""
        for runner in (SqliteScripts, PostgresScripts):
            for name, watched in (("change", self._changing), ("statement", self._stating)):
                setattr(runner, name, watched(getattr(runner, name)))
        real = FakeEmbedder.embed

        async def embed(embedder: Any, *args: Any, **given: Any) -> Any:
            return await self.around("embedder", lambda _: real(embedder, *args, **given))

        FakeEmbedder.embed = embed

    async def around(self, what: str, call: Callable[[int], Awaitable[Any]]) -> Any:
        """Make a call that may fail before or after it; it is told its number."""
        self.counts[what] += 1
        nth = self.counts[what]
        await self._reached(Point(what, nth, "before"))
        result = await call(nth)
        await self._reached(Point(what, nth, "after"))
        return result

    async def _reached(self, here: Point) -> None:
        if (done := self._struck(here)) is not None:
            await done

    def _struck(self, here: Point) -> Awaitable[None] | None:
        if here != self._point:
            return None
        self._point = None
        return self._fail()

    def _stating(self, real: Any) -> Any:
        @wraps(real)
        async def statement(scripts: Any, sql: str, values: Any, **given: Any) -> Any:
            what = _asked_by()
            if what is None or sql.lstrip().startswith("SELECT"):
                return await real(scripts, sql, values, **given)
            return await self.around(what, lambda _: real(scripts, sql, values, **given))

        return statement

    def _changing(self, real: Any) -> Any:
        @wraps(real)
        async def change(scripts: Any, script: Any, **given: Any) -> Any:
            what = _asked_by()
            if what is None:  # a statement that has been counted
                return await real(scripts, script, **given)

            self.changes.add(what)

            def whole(nth: int) -> Any:
                result = yield from script()
                self._struck(Point(what, nth, "within"))
                return result

            return await self.around(what, lambda nth: real(scripts, lambda: whole(nth), **given))

        return change


def _asked_by() -> str | None:
    """The method that asked for what its caller runs; None if that has been counted already."""
    frame: Any = sys._getframe(2)
    while (name := frame.f_code.co_qualname).startswith(_BETWEEN):
        if not name.startswith("MemoryScripts."):
            return None
        frame = frame.f_back
    if name == "MemoryWriter.change":
        name = frame.f_locals["work"].__qualname__
    return name.replace(".<locals>", "").removesuffix(".work")
