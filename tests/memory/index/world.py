"""A database and an index on a server, as a follower sees them, both in memory."""

from __future__ import annotations

import numpy as np

from recollect.memory.index.follower import IndexFollower
from recollect.memory.index.port import IndexMark, IndexMissingError, IndexRow, LoggedChange
from recollect.memory.model.errors import StateError, StoreError
from tests.support.clock import Clock

VECTOR = np.array([1.0, 0.0], np.float32)


NEVER = 10**9


class Fuse:
    """Ends a process at one of its calls: before it did anything, or after it did it."""

    def __init__(self):
        self.left = NEVER
        self.after = False

    def before(self, error):
        self.left -= 1
        if self.left == -1 and not self.after:
            raise error

    def done(self, error):
        if self.left == -1 and self.after:
            self.left = -2
            raise error


class FakeDatabase:
    """`ChangeLog` and `IndexMarks`."""

    def __init__(self, clock, fuse):
        self._fuse = fuse
        self.there: dict[int, int] = {}
        """What is kept: positions, and the number of the version."""
        self.lines: list[LoggedChange] = []
        self.begins = 0
        self.marks: dict[str, IndexMark] = {}
        self.turns: dict[str, tuple[str, float]] = {}
        self._clock = clock

    def put(self, *positions):
        for position in positions:
            self.there[position] = self.there.get(position, 0) + 1
        self.changed(*positions)

    def remove(self, *positions):
        for position in positions:
            self.there.pop(position, None)
        self.changed(*positions)

    def changed(self, *positions):
        last = self.lines[-1].seq if self.lines else self.begins
        self.lines.append(LoggedChange(last + 1, tuple(positions)))

    def prune(self):
        """Forget the log."""
        self.begins = self.lines[-1].seq if self.lines else self.begins
        self.lines.clear()

    def _check(self):
        self._fuse.before(StateError("the database is away"))

    async def changed_since(self, seq, *, limit):
        self._check()
        if seq < self.begins:
            return None
        return [line for line in self.lines if line.seq > seq][:limit]

    async def last_seq(self):
        self._check()
        return self.lines[-1].seq if self.lines else self.begins

    async def rows(self, positions):
        self._check()
        return [self.row(each) for each in positions if each in self.there]

    async def page(self, after, *, limit):
        self._check()
        return [self.row(each) for each in sorted(self.there) if each > after][:limit]

    async def count(self, up_to=None):
        self._check()
        return sum(up_to is None or each <= up_to for each in self.there)

    def row(self, position):
        version = self.there[position]
        return IndexRow(position, 1, 1, 0, 0, 1, 1, version, (), VECTOR)

    async def mark(self, name):
        self._check()
        return self.marks.get(name)

    async def lead(self, name, holder, *, seconds):
        self._check()
        has, until = self.turns.get(name, ("", 0.0))
        if has != holder and self._clock.monotonic() < until:
            return False
        self.turns[name] = holder, self._clock.monotonic() + seconds
        self._fuse.done(StateError("the database went away"))
        return True

    async def set_mark(self, name, holder, mark):
        self._check()
        if self.turns.get(name, ("",))[0] != holder:
            return False
        self.marks[name] = mark
        self._fuse.done(StateError("the database went away"))
        return True

    async def leave(self, name, holder):
        if self.turns.get(name, ("",))[0] == holder:
            del self.turns[name]


class FakeServer:
    """A `VectorIndex` that outlives those who use it. It can lose everything, and fail."""

    def __init__(self, fuse):
        self._fuse = fuse
        self.rows: dict[int, IndexRow] | None = None
        self.failures: list[str] = []
        """Of the next calls, each by its reason."""
        self.opened = 0
        self.drops = 0
        self.puts = 0

    async def open(self):
        self.opened += 1
        self._fail()
        return self

    async def put(self, rows):
        self.puts += 1
        await self._change(lambda: self._there().update({row.key: row for row in rows}))

    async def delete(self, keys):
        await self._change(lambda: [self._there().pop(key, None) for key in keys])

    async def drop(self):
        self.drops += 1
        await self._change(lambda: setattr(self, "rows", {}))

    async def search(self, vector, asked, *, limit):
        self._fail()
        return [(key, 1.0) for key in self._there()][:limit]

    async def ping(self):
        self._fail()
        self._there()

    async def close(self):
        pass

    def versions(self):
        return {key: row.at for key, row in (self.rows or {}).items()}

    def _there(self):
        if self.rows is None:
            raise IndexMissingError("gone")
        return self.rows

    async def _change(self, work):
        self._fail()
        work()
        self._fuse.done(StoreError("the index went away"))

    def _fail(self):
        self._fuse.before(StoreError("the index is away"))
        if self.failures:
            raise StoreError(self.failures.pop(0))


class World:
    """Both, and followers of them."""

    def __init__(self):
        self.clock = Clock()
        self.fuse = Fuse()
        self.database = FakeDatabase(self.clock, self.fuse)
        self.server = FakeServer(self.fuse)

    def follower(self, **options):
        opens = self.server.open
        database = self.database
        return IndexFollower(database, database, opens, name="index", clock=self.clock, **options)
