"""One SQLite file behind one thread, with group commit, and a fast path for single statements.

Work that arrives while a commit runs goes into the next commit, so durability costs one commit per
burst and not one per caller. Cancelling a caller does not cancel its work.

The hop to the thread and back costs several times as much as a small insert. Where a commit needs
no disk sync (``synchronous: normal``), a single statement runs on the caller's own thread: it only
appends to the page cache, as Redis does with its log. It goes through the thread whenever it might
have to wait: while the thread writes, and while it copies the log into the file.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import queue
import sqlite3
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

from ...model.errors import StateDamagedError, StateError, StateGoneError, StateUnwritableError
from ...util.anchor import Anchor, first_gone
from ..writes import Writes
from .connect import Synchronous, connect, connect_direct, not_opened, translated

log = logging.getLogger(__name__)

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], Any]

MAX_BATCH = 256
"""Maximum pieces of work in one commit; bounds how long the first one waits."""

CHECKPOINT_EVERY = 500
"""The thread copies the log into the file after this many direct statements; about 2 MB of log."""


@dataclass(slots=True, eq=False)
class _Task:
    work: Work
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    erases: bool = False
    changed: bool = False
    """Whether it wrote anything."""
    result: Any = None
    error: BaseException | None = None


REFUSED = (sqlite3.Error, UnicodeEncodeError, OverflowError)
"""Errors with which SQLite refuses, also for lone surrogates and numbers of more than 64 bits."""

_CHECKPOINT = cast("_Task", object())
"""A queue entry that requests a checkpoint: copying the log into the file."""


BESIDE = ("", "-wal", "-shm")
"""The file, its log, and the log's index: all are open for as long as the file is."""
_PROBE = "recollect_probe"
"""A table that exists only during a probe."""
_PROBE_BYTES = 65_536


class Database:
    """Runs functions on a connection, in order, each in its own transaction; see `open`.

    While the file, or what SQLite keeps beside it, is not where it was opened, every write is a
    StateGoneError: it would end in a file that nobody finds. Reads go on. The same file in its
    place again is written again. Another one never is: whoever put it there may still be copying
    it, and what an empty folder means only the operator knows.
    """

    def __init__(
        self, path: Path, connection: sqlite3.Connection, direct: sqlite3.Connection | None
    ) -> None:
        self.path = path
        self.writes = Writes()
        self._damage: StateDamagedError | None = None
        self._anchors = tuple(
            Anchor.of(beside)
            for end in BESIDE
            if (beside := path.with_name(f"{path.name}{end}")).exists()
        )
        self._gone: StateGoneError | None = None
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
        cls, path: Path, tables: str, *, synchronous: Synchronous = "normal"
    ) -> Database:
        """Open the file, or create it with these tables.

        Raises:
            StateDamagedError: the file is not a sound database and was not changed.
            StateUnwritableError: the disk has no room for what opening writes.
            FormatError: it is of another format and was not changed.
            StateError: the folder cannot be written.
        """

        def prepare() -> Database:
            try:
                path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                with contextlib.ExitStack() as opened:
                    connection = connect(path, tables, synchronous)
                    opened.callback(connection.close)
                    direct = connect_direct(path) if synchronous == "normal" else None
                    opened.pop_all()
            except (OSError, sqlite3.Error) as error:
                raise not_opened(error, path) from error
            return cls(path, connection, direct)

        return await asyncio.to_thread(prepare)

    async def run(self, work: Callable[[sqlite3.Connection], T], *, erases: bool = False) -> T:
        """Run `work` in a transaction and return its result after the commit.

        With `erases` nothing that `work` removed remains in the file or its log.

        Raises:
            StateError: SQLite refused; nothing of `work` was kept.
        """
        if self._closed:
            raise StateError(f"{self.path.name} is closed")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._queue.put(_Task(work, loop, future, erases))
        return await future

    async def statement(self, sql: str, values: Mapping[str, object]) -> list[Any]:
        """Run one statement in its own transaction and return its rows after the commit.

        Raises:
            StateError: SQLite refused.
        """
        direct = self._direct
        if direct and not self._checkpointing and not self._closed and self._gone is None:
            before = direct.total_changes
            try:
                rows = direct.execute(sql, values).fetchall()
            except REFUSED:
                # The thread is writing. Any other error occurs there again and is reported from
                # there.
                pass
            else:
                if direct.total_changes != before and (gone := self.look()) is not None:
                    raise self._not_kept(gone)
                self._count_direct()
                return rows
        return await self.run(lambda connection: connection.execute(sql, values).fetchall())

    def _count_direct(self) -> None:
        self._direct_statements += 1
        if self._direct_statements >= CHECKPOINT_EVERY:
            self._direct_statements = 0
            self._checkpointing = True
            self._queue.put(_CHECKPOINT)

    def look(self) -> StateGoneError | None:
        """Notice whether the file is still where it was opened; why not, if it is not.

        Takes some microseconds. Both changes are logged once.
        """
        gone, known = first_gone(self._anchors), self._gone
        if not gone:
            if known is not None:
                self._gone = None
                log.warning("%s is back: it is written again", self.path.name)
        elif known is None:
            log.error("%s; nothing is written into it until it is back", gone)
            self._gone = StateGoneError(
                f"the state database {self.path.name} is not where it was opened"
            )
            # If only its log was removed, this is the last chance for what is in it.
            self._queue.put(_CHECKPOINT)
        return self._gone

    def _not_kept(self, gone: StateGoneError) -> StateGoneError:
        """The error about one write while the file is not where it was opened."""
        refusal = StateGoneError(str(gone))
        self.writes.refuse(refusal)
        return refusal

    async def ping(self) -> None:
        """Return if no damage was seen and the file accepts writes.

        After a refused write, a probe of some pages tests whether writes work again.

        Raises:
            StateGoneError: it is not where it was opened.
            StateUnwritableError: the disk still refuses writes.
            StateDamagedError: SQLite found damage during an earlier statement.
        """
        if self._damage is not None:
            raise StateDamagedError(str(self._damage), self._damage.advice)
        if (gone := self.look()) is not None:
            raise StateGoneError(str(gone))
        if self.writes.why is not None:
            with self.writes.probing():
                await self.run(_write_probe)
                await self.run(_remove_probe)

    async def close(self) -> None:
        """Finish the queued work and close the file."""
        if self._closed:
            return
        self._closed = True
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)
        for release in self._after_close:
            release()

    def on_close(self, release: Callable[[], None]) -> None:
        """Call `release` after the file is closed."""
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
        """Copy the log into the file; False if another process prevented it."""
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
            # The tasks are not retried one by one: each would wait as long for the same lock.
            for task in batch:
                task.error = self._refused(error)
            return
        try:
            # A failing task rolls back the transaction if it is alone in it, else only its own
            # savepoint. A lone task needs no savepoint: each statement hands over the interpreter
            # lock.
            gone = None if self._gone is None else self.look()
            for task in batch:
                self._run_one(task, gone, alone=len(batch) == 1)
            self._connection.execute("ROLLBACK" if batch[0].error and len(batch) == 1 else "COMMIT")
        except sqlite3.Error as error:
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            if len(batch) > 1:
                # A full disk ends the whole transaction: tasks that read or write less may still
                # succeed.
                for task in batch:
                    task.error = None
                    self._commit([task])
                return
            batch[0].error = batch[0].error or error
        self._note_refusals(batch)

    def _note_refusals(self, batch: list[_Task]) -> None:
        """Translate SQLite's errors, and refuse what was written into a file that is gone."""
        for task in batch:
            if isinstance(task.error, REFUSED):
                task.error = self._refused(task.error)
        written = [task for task in batch if task.changed and task.error is None]
        # Looked at after the commit: before it, the file could go away unseen.
        if written and (gone := self.look()) is not None:
            for task in written:
                task.error = self._not_kept(gone)

    def translated(self, error: BaseException) -> StateError:
        """Our error for one of SQLite's; damage is noted, so that `ping` tells it."""
        return self._refused(error)

    def _refused(self, error: BaseException) -> StateError:
        refusal = translated(error, self.path.name)
        refusal.__cause__ = error
        if isinstance(refusal, StateUnwritableError):
            self.writes.refuse(refusal)
        if isinstance(refusal, StateDamagedError):
            self._damage = refusal
        return refusal

    def _run_one(self, task: _Task, gone: StateGoneError | None, *, alone: bool) -> None:
        if not alone:
            self._connection.execute("SAVEPOINT work")
        before = self._connection.total_changes
        try:
            task.result = task.work(self._connection)
            task.changed = self._connection.total_changes != before
            if task.changed and gone is not None:
                raise self._not_kept(gone)
        except Exception as error:  # noqa: BLE001 - handed to the caller who awaits it
            task.error = error
            if not alone:
                self._connection.execute("ROLLBACK TO work")
        if not alone:
            self._connection.execute("RELEASE work")


def _write_probe(connection: sqlite3.Connection) -> None:
    """Ask for new pages as a turn does: free pages of deleted rows prove nothing."""
    _remove_probe(connection)
    connection.execute(f"CREATE TABLE {_PROBE} (room BLOB)")
    connection.execute(f"INSERT INTO {_PROBE} VALUES (zeroblob({_PROBE_BYTES}))")  # noqa: S608 - constants


def _remove_probe(connection: sqlite3.Connection) -> None:
    connection.execute(f"DROP TABLE IF EXISTS {_PROBE}")


def _deliver(batch: list[_Task]) -> None:
    """Wake each waiting loop once: a wake-up is a system call."""
    for loop in {task.loop for task in batch}:
        tasks = [task for task in batch if task.loop is loop]
        # While the process shuts down the loop may be closed: nobody waits for the result.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(_resolve_all, tasks)


def _resolve_all(tasks: list[_Task]) -> None:
    for task in tasks:
        if task.future.done():
            continue
        if task.error is None:
            task.future.set_result(task.result)
        else:
            task.future.set_exception(task.error)
