"""Durable state: conversations with their turns, jobs, what was forgotten, costs, history."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, assert_never

from ..errors import InvalidInputError, StateDamagedError, StateError, StateUnwritableError
from ..ports import ConversationStore, HistoryLog, JobQueue, Ledger, Tombstones
from .options import HistoryOptions, StateOptions

if TYPE_CHECKING:
    from .redis import Announcements, RedisVersions

__all__ = [
    "HistoryOptions",
    "State",
    "StateOptions",
    "Unopened",
    "open_history",
    "open_state",
    "without_history",
    "without_state",
]


async def _nothing() -> None:
    """What there is to close in memory."""


async def _answers() -> None:
    """What is in memory takes whatever is written."""


@dataclass(frozen=True, slots=True)
class State:
    """All that lives in one place, and how that place is."""

    conversations: ConversationStore
    jobs: JobQueue
    tombstones: Tombstones
    ledger: Ledger
    versions: RedisVersions | None = None
    """Who wrote to the store last, if other processes may have; else None."""
    announcements: Announcements | None = None
    """What other processes have to be told, if there may be any; else None."""
    missing: StateError | None = None
    """Why nothing of it can be used; None if it can."""
    pinging: Callable[[], Awaitable[None]] = _answers
    counting: Callable[[], int] = int
    closing: Callable[[], Awaitable[None]] = _nothing

    @property
    def shared(self) -> bool:
        """Whether other processes work with the same state."""
        return self.versions is not None

    @property
    def refused(self) -> int:
        """How many writes were refused since the start."""
        return self.counting()

    async def ping(self) -> None:
        """Return if it answers and takes what is written.

        Raises:
            StateUnwritableError: it can only be read.
            StateError: it does not answer, or is damaged.
        """
        await self.jobs.counts()
        await self.pinging()

    async def close(self) -> None:
        """Release everything; no part can be used after it."""
        await self.closing()


async def open_state(options: StateOptions) -> State:
    """Open the configured backend.

    Raises:
        StateDamagedError: its file is damaged, and stays as it is; see `without_state`.
        StateUnwritableError: its disk has no room for what opening writes; likewise.
        StateError: it cannot be opened.
        InvalidInputError: a file is needed and none is named.
    """
    match options.backend:
        case "sqlite":
            return await _open_sqlite(options)
        case "redis":
            return await _open_redis(options)
        case "inmemory":
            return _open_inmemory()
        case _ as never:
            assert_never(never)


async def open_history(options: HistoryOptions) -> HistoryLog:
    """Open the configured backend.

    Raises:
        StateDamagedError: its file is damaged, and stays as it is; see `without_history`.
        StateUnwritableError: its disk has no room for what opening writes; likewise.
        StateError: it cannot be opened.
        InvalidInputError: a file is needed and none is named.
    """
    match options.backend:
        case "sqlite":
            from .sqlite import HISTORY_MIGRATIONS, Database, Ownership, SqliteHistory

            path = _file("history.url", options.file)
            database = await Database.open(path, HISTORY_MIGRATIONS)
            database.on_close(Ownership.claim(path).release)
            return SqliteHistory(database)
        case "postgres":
            from .postgres import open_postgres_history

            return await open_postgres_history(
                options.address or "",
                max_connections=options.max_connections,
                timeout_seconds=options.timeout_seconds,
            )
        case "inmemory":
            from .inmemory import InMemoryHistory

            return InMemoryHistory()
        case _ as never:
            assert_never(never)


Unopened = StateDamagedError | StateUnwritableError
"""Why a file is not opened: everything but what it holds goes on."""


def without_state(why: Unopened) -> State:
    """What stands for state that cannot be used: every call raises that."""
    from .damaged import Unusable

    part: Any = Unusable(why)
    return State(part, part, part, part, missing=why)


def without_history(why: Unopened) -> HistoryLog:
    """What stands for a history that cannot be used: every call raises that."""
    from .damaged import Unusable

    part: Any = Unusable(why)
    history: HistoryLog = part
    return history


async def _open_sqlite(options: StateOptions) -> State:
    from .sqlite import open_sqlite_state

    path = _file("state.url", options.file)
    parts = await open_sqlite_state(path, options.synchronous)
    database = parts.database
    return State(
        parts.conversations,
        parts.jobs,
        parts.tombstones,
        parts.ledger,
        pinging=database.ping,
        counting=lambda: database.writes.refused,
        closing=parts.close,
    )


async def _open_redis(options: StateOptions) -> State:
    from .redis import open_redis_state

    parts = await open_redis_state(
        options.address or "", prefix=options.prefix, turn_ttl_days=options.turn_days
    )
    return State(
        parts.conversations,
        parts.jobs,
        parts.tombstones,
        parts.ledger,
        versions=parts.versions,
        announcements=parts.announcements,
        pinging=parts.wire.ping,
        counting=lambda: parts.wire.writes.refused,
        closing=parts.close,
    )


def _open_inmemory() -> State:
    from .inmemory import (
        InMemoryConversations,
        InMemoryJobs,
        InMemoryLedger,
        InMemoryTombstones,
    )

    return State(InMemoryConversations(), InMemoryJobs(), InMemoryTombstones(), InMemoryLedger())


def _file(key: str, path: Path | None) -> Path:
    if path is None:
        raise InvalidInputError(key, "expected the path of a SQLite file")
    return path
