"""One SQLite file behind one thread, with group commit, and a short way for single statements.

Everything that waits while a commit runs goes into the next one, so durability costs one commit per
burst and not one per caller. A caller that is cancelled meanwhile loses nothing: its work is done
all the same.

The hop to the thread and back costs several times what a small insert does. Where a commit needs
no disk sync (``synchronous: normal``), a single statement runs on the caller's own thread: it
appends to the page cache, as Redis does with its log. It goes the long way whenever it might wait:
while the thread writes, and while it copies the log into the file, which is when disks are slow.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import queue
import sqlite3
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

from ...errors import StateDamagedError, StateError, StateUnwritableError
from ..writes import Writes
from .connect import Synchronous, connect, connect_direct
from .refusals import not_opened, translated

log = logging.getLogger(__name__)

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], Any]
Values = Sequence[object] | Mapping[str, object]
"""Of a statement, by position or by name."""

MAX_BATCH = 256
"""Most pieces of work in one commit: bounds how long the first of them waits."""

CHECKPOINT_EVERY = 500
"""Direct statements after which the thread copies the log into the file; about 2 MB of log."""


@dataclass(slots=True, eq=False)
class _Task:
    work: Work
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    erases: bool = False
    result: Any = None
    error: BaseException | None = None


_REFUSED = (sqlite3.Error, UnicodeEncodeError, OverflowError)
"""How SQLite refuses: also half of a character, or a number of more than 64 bits."""

_CHECKPOINT = cast("_Task", object())
"""In the queue: copy the log into the file."""


_PROBE = "recollect_probe"
"""A table that exists for a moment only."""
_PROBE_BYTES = 65_536


class Database:
    """Runs functions on a connection, in order, each in a transaction of its own.

    Use `Database.open`.
    """

    def __init__(
        self,
        path: Path,
        connection: sqlite3.Connection,
        direct: sqlite3.Connection | None,
    ) -> None:
        self.path = path
        self.writes = Writes()
        self._damage: StateDamagedError | None = None
        self._connection = connection
        self._direct = direct
        self._direct_statements = 0
        self._checkpointing = False
        self._purge_due = False
        self._queue: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._closed = False
        self._after_close: list[Callable[[], None]] = []
        self._thread = threading.Thread(target=self._serve, name=f"sqlite-{path.name}", daemon=True)
        self._thread.start()

    @classmethod
    async def open(
        cls,
        path: Path,
        migrations: Sequence[str],
        *,
        synchronous: Synchronous = "normal",
    ) -> Database:
        """Open or create the file and bring its schema up to date.

        Raises:
            StateDamagedError: the file is no sound database; it stays as it is.
            StateUnwritableError: the disk has no room for what opening writes.
            StateError: the folder cannot be written, or the file is of a newer version than ours.
        """

        def prepare() -> Database:
            try:
                path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                connection = connect(path, migrations, synchronous)
                direct = connect_direct(path) if synchronous == "normal" else None
            except (OSError, sqlite3.Error) as error:
                raise not_opened(error, path) from error
            return cls(path, connection, direct)

        return await asyncio.to_thread(prepare)

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run `work` in a transaction and return what it returns, once it is committed.

        Raises:
            StateError: SQLite refused; nothing of `work` was kept.
        """
        return await self._submit(work, erases=False)

    async def erase(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """The same, for work after which what it removed is not in the file or its log either.

        Raises:
            StateError: SQLite refused; nothing of `work` was kept.
        """
        return await self._submit(work, erases=True)

    async def read(self, sql: str, values: Values, decode: Callable[[Any], T]) -> list[T]:
        """The rows of a query, decoded in the thread. Raises StateError."""
        return await self.run(
            lambda connection: [decode(row) for row in connection.execute(sql, values)]
        )

    async def change(self, sql: str, values: Values, *, erases: bool = False) -> int:
        """Run one statement as `run` or `erase` do; how many rows it changed. Raises StateError."""
        return await self._submit(
            lambda connection: connection.execute(sql, values).rowcount, erases=erases
        )

    async def _submit(self, work: Callable[[sqlite3.Connection], T], *, erases: bool) -> T:
        if self._closed:
            raise StateError(f"{self.path.name} is closed")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._queue.put(_Task(work, loop, future, erases))
        return await future

    async def statement(self, sql: str, values: Mapping[str, object]) -> list[Any]:
        """Run one statement as a transaction of its own and return its rows, once it is committed.

        Raises:
            StateError: SQLite refused.
        """
        if self._direct is not None and not self._checkpointing and not self._closed:
            try:
                rows = self._direct.execute(sql, values).fetchall()
            except _REFUSED:
                # Busy: the thread writes. Anything else fails there again, and is reported there.
                pass
            else:
                self._count_direct()
                return rows
        return await self.run(lambda connection: connection.execute(sql, values).fetchall())

    def _count_direct(self) -> None:
        self._direct_statements += 1
        if self._direct_statements >= CHECKPOINT_EVERY:
            self._direct_statements = 0
            self._checkpointing = True
            self._queue.put(_CHECKPOINT)

    async def ping(self) -> None:
        """Return if the file is sound, as far as anybody noticed, and takes what is written.

        Once a write was refused, a probe of some pages tells whether that is over.

        Raises:
            StateUnwritableError: the disk still takes nothing.
            StateDamagedError: SQLite found damage while it was at work.
        """
        if self._damage is not None:
            raise StateDamagedError(str(self._damage), self._damage.advice)
        if self.writes.why is not None:
            with self.writes.probing():
                await self.run(_write_probe)
                await self.run(_remove_probe)

    async def close(self) -> None:
        """Finish what is queued and close the file."""
        if self._closed:
            return
        self._closed = True
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)
        for release in self._after_close:
            release()

    def on_close(self, release: Callable[[], None]) -> None:
        """Call this once the file is closed."""
        self._after_close.append(release)

    def _serve(self) -> None:
        while (task := self._queue.get()) is not None:
            batch, more = self._drain(task)
            if work := [task for task in batch if task is not _CHECKPOINT]:
                self._commit(work)
                self._purge_due |= any(task.erases for task in work)
                if self._purge_due:
                    self._purge_due = not self._checkpoint("TRUNCATE")
                _deliver(work)
            if len(work) < len(batch):
                self._checkpoint("PASSIVE")
                self._checkpointing = False
            if not more:
                break
        if self._direct is not None:
            self._direct.close()
        self._connection.close()

    def _checkpoint(self, mode: Literal["PASSIVE", "TRUNCATE"]) -> bool:
        """Copy the log into the file; False if another process was in the way."""
        try:
            [(busy, *_)] = self._connection.execute(f"PRAGMA wal_checkpoint({mode})").fetchall()
        except sqlite3.Error as error:
            log.warning("%s: its log could not be copied into it: %s", self.path.name, error)
            return False
        return not busy

    def _drain(self, first: _Task) -> tuple[list[_Task], bool]:
        batch = [first]
        with contextlib.suppress(queue.Empty):
            while len(batch) < MAX_BATCH:
                task = self._queue.get_nowait()
                if task is None:
                    return batch, False
                batch.append(task)
        return batch, True

    def _commit(self, batch: list[_Task]) -> None:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
        except sqlite3.Error as error:
            # Nobody is tried alone: each would wait as long for whoever writes.
            for task in batch:
                task.error = self._refused(error)
            return
        try:
            # Alone, a failing piece of work takes the transaction with it; among others only its
            # own savepoint. Each statement hands the interpreter lock over: none is spent in vain.
            for task in batch:
                self._run_one(task, alone=len(batch) == 1)
            self._connection.execute("ROLLBACK" if batch[0].error and len(batch) == 1 else "COMMIT")
        except sqlite3.Error as error:
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            if len(batch) > 1:
                # A full disk ends the whole transaction: what reads, or is smaller, still can.
                for task in batch:
                    task.error = None
                    self._commit([task])
                return
            batch[0].error = batch[0].error or error
        for task in batch:
            if isinstance(task.error, _REFUSED):
                task.error = self._refused(task.error)

    def _refused(self, error: BaseException) -> StateError:
        refusal = translated(error, self.path.name)
        refusal.__cause__ = error
        if isinstance(refusal, StateUnwritableError):
            self.writes.refuse(refusal)
        if isinstance(refusal, StateDamagedError):
            self._damage = refusal
        return refusal

    def _run_one(self, task: _Task, *, alone: bool) -> None:
        if not alone:
            self._connection.execute("SAVEPOINT work")
        try:
            task.result = task.work(self._connection)
        except Exception as error:  # noqa: BLE001 - handed to the caller who awaits it
            task.error = error
            if not alone:
                self._connection.execute("ROLLBACK TO work")
        if not alone:
            self._connection.execute("RELEASE work")


def _write_probe(connection: sqlite3.Connection) -> None:
    """Ask for room as a turn would: rows that were deleted leave no proof that the disk has any."""
    _remove_probe(connection)
    connection.execute(f"CREATE TABLE {_PROBE} (room BLOB)")
    connection.execute(f"INSERT INTO {_PROBE} VALUES (zeroblob({_PROBE_BYTES}))")  # noqa: S608 - constants


def _remove_probe(connection: sqlite3.Connection) -> None:
    connection.execute(f"DROP TABLE IF EXISTS {_PROBE}")


def _deliver(batch: list[_Task]) -> None:
    """Wake each waiting loop once: a wake-up is a system call."""
    for loop in {task.loop for task in batch}:
        tasks = [task for task in batch if task.loop is loop]
        # The loop may be gone when the process shuts down: then nobody waits any more.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(_resolve_all, tasks)


def _resolve_all(tasks: list[_Task]) -> None:
    for task in tasks:
        _resolve(task)


def _resolve(task: _Task) -> None:
    if task.future.done():
        return
    if task.error is None:
        task.future.set_result(task.result)
    else:
        task.future.set_exception(task.error)
