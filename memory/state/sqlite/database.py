"""One SQLite file behind one thread, with group commit.

Everything that waits while a commit runs goes into the next one, so durability costs one commit per
burst and not one per caller. A caller that is cancelled meanwhile loses nothing: its work is done
all the same.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TypeVar

from ...errors import StateError

log = logging.getLogger(__name__)

T = TypeVar("T")
Work = Callable[[sqlite3.Connection], Any]
Synchronous = Literal["normal", "full"]

MAX_BATCH = 256
"""Most pieces of work in one commit: bounds how long the first of them waits."""

BUSY_TIMEOUT_MS = 5_000
"""How long another process's write lock is waited for, instead of "database is locked"."""


@dataclass(slots=True)
class _Task:
    work: Work
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    result: Any = None
    error: BaseException | None = None


class Database:
    """Runs functions on a connection, in order, each in a transaction of its own.

    Use `Database.open`; `set_aside` then tells where a damaged predecessor of the file went.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection, set_aside: Path | None) -> None:
        self.path = path
        self.set_aside = set_aside
        self._connection = connection
        self._queue: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._closed = False
        self._after_close: list[Callable[[], None]] = []
        self._thread = threading.Thread(target=self._serve, name=f"sqlite-{path.name}", daemon=True)
        self._thread.start()

    @classmethod
    async def open(
        cls, path: Path, migrations: Sequence[str], *, synchronous: Synchronous = "normal"
    ) -> Database:
        """Open or create the file and bring its schema up to date.

        A file that is no sound database is renamed to ``<name>.corrupt-<time>`` and reported, and a
        new one is begun: nothing is overwritten, and the service starts.

        Raises:
            StateError: the folder cannot be written, or the file is of a newer version than ours.
        """

        def prepare() -> tuple[sqlite3.Connection, Path | None]:
            try:
                path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                return _connect_or_set_aside(path, migrations, synchronous)
            except (OSError, sqlite3.Error) as error:
                raise StateError(f"cannot open {path}: {error}") from error

        connection, set_aside = await asyncio.to_thread(prepare)
        return cls(path, connection, set_aside)

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run `work` in a transaction and return what it returns, once it is committed.

        Raises:
            StateError: SQLite refused; nothing of `work` was kept.
        """
        if self._closed:
            raise StateError(f"{self.path.name} is closed")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        self._queue.put(_Task(work, loop, future))
        return await future

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
            self._commit(batch)
            _deliver(batch)
            if not more:
                break
        self._connection.close()

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
            # Alone, a failing piece of work takes the transaction with it; among others only its
            # own savepoint. Each statement hands the interpreter lock over: none is spent in vain.
            for task in batch:
                self._run_one(task, alone=len(batch) == 1)
            self._connection.execute("ROLLBACK" if batch[0].error and len(batch) == 1 else "COMMIT")
        except sqlite3.Error as error:
            with contextlib.suppress(sqlite3.Error):
                self._connection.execute("ROLLBACK")
            for task in batch:
                task.error = task.error or error

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
    elif isinstance(task.error, sqlite3.Error):
        error = StateError(f"the state database refused: {task.error}")
        error.__cause__ = task.error
        task.future.set_exception(error)
    else:
        task.future.set_exception(task.error)


def _connect_or_set_aside(
    path: Path, migrations: Sequence[str], synchronous: Synchronous
) -> tuple[sqlite3.Connection, Path | None]:
    try:
        return _connect(path, migrations, synchronous), None
    except sqlite3.DatabaseError as error:
        # OperationalError (locked, disk full, no permission) says nothing about the file itself.
        if isinstance(error, sqlite3.OperationalError):
            raise
        aside = _set_aside(path)
        log.error("%s is damaged (%s): set aside as %s, starting empty", path, error, aside)  # noqa: TRY400 - the reason is in the line
        return _connect(path, migrations, synchronous), aside


def _connect(path: Path, migrations: Sequence[str], synchronous: Synchronous) -> sqlite3.Connection:
    # Before SQLite does: its log and index files get the permissions that this one has.
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    try:
        connection.execute(f"PRAGMA busy_timeout={BUSY_TIMEOUT_MS}")
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(f"PRAGMA synchronous={synchronous}")
        (verdict,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise sqlite3.DatabaseError(verdict)
        _migrate(connection, path, migrations)
    except BaseException:
        connection.close()
        raise
    return connection


def _migrate(connection: sqlite3.Connection, path: Path, migrations: Sequence[str]) -> None:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(migrations):
        raise StateError(
            f"{path} was written by a newer version of Recollect (schema {version}, "
            f"this one knows {len(migrations)}): upgrade Recollect or use another data_dir"
        )
    for number, script in enumerate(migrations[version:], start=version + 1):
        connection.executescript(f"BEGIN; {script}; PRAGMA user_version={number}; COMMIT")


def _set_aside(path: Path) -> Path:
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    aside = path.with_name(f"{path.name}.corrupt-{stamp}")
    for suffix in ("-wal", "-shm", ""):
        companion = path.with_name(path.name + suffix)
        if companion.exists():
            companion.rename(aside.with_name(aside.name + suffix))
    return aside


def to_ms(moment: datetime) -> int:
    """Milliseconds since the epoch, as every table keeps times."""
    return round(moment.timestamp() * 1000)


def from_ms(milliseconds: int) -> datetime:
    """The UTC datetime `to_ms` came from."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
