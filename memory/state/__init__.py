"""Durable state: conversations with their turns, jobs, what was forgotten, costs, history."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, assert_never

from ..errors import InvalidInputError
from ..ports import ConversationStore, HistoryLog, JobQueue, Ledger, Tombstones
from .options import HistoryOptions, StateOptions

if TYPE_CHECKING:
    from .redis import Announcements, RedisVersions

__all__ = ["HistoryOptions", "State", "StateOptions", "open_history", "open_state"]


async def _nothing() -> None:
    """What there is to close in memory."""


@dataclass(frozen=True, slots=True)
class State:
    """All that lives in one place, and what was wrong with it at the start."""

    conversations: ConversationStore
    jobs: JobQueue
    tombstones: Tombstones
    ledger: Ledger
    versions: RedisVersions | None = None
    """Who wrote to the store last, if other processes may have; else None."""
    announcements: Announcements | None = None
    """What other processes have to be told, if there may be any; else None."""
    set_aside: list[Path] = field(default_factory=list)
    """Damaged files that were found."""
    closing: Callable[[], Awaitable[None]] = _nothing

    @property
    def shared(self) -> bool:
        """Whether other processes work with the same state."""
        return self.versions is not None

    async def close(self) -> None:
        """Release everything; no part can be used after it."""
        await self.closing()


async def open_state(options: StateOptions, *, repair: bool = True) -> State:
    """Open the configured backend. Without `repair` a damaged file is an error and stays in place.

    Raises:
        StateError: it cannot be opened.
        InvalidInputError: a file is needed and none is named.
    """
    match options.backend:
        case "sqlite":
            return await _open_sqlite(options, repair=repair)
        case "redis":
            return await _open_redis(options)
        case "inmemory":
            return _open_inmemory()
        case _ as never:
            assert_never(never)


async def open_history(
    options: HistoryOptions, *, repair: bool = True
) -> tuple[HistoryLog, list[Path]]:
    """Open the configured backend; the list names damaged files that were set aside.

    Without `repair` a damaged file is an error and stays in place.

    Raises:
        StateError: it cannot be opened.
        InvalidInputError: a file is needed and none is named.
    """
    match options.backend:
        case "sqlite":
            from .sqlite import HISTORY_MIGRATIONS, Database, Ownership, SqliteHistory

            path = _file("history.url", options.file)
            database = await Database.open(path, HISTORY_MIGRATIONS, repair=repair)
            database.on_close(Ownership.claim(path).release)
            return SqliteHistory(database), [database.set_aside] if database.set_aside else []
        case "postgres":
            from .postgres import open_postgres_history

            history = await open_postgres_history(
                options.address or "",
                max_connections=options.max_connections,
                timeout_seconds=options.timeout_seconds,
            )
            return history, []
        case "inmemory":
            from .inmemory import InMemoryHistory

            return InMemoryHistory(), []
        case _ as never:
            assert_never(never)


async def _open_sqlite(options: StateOptions, *, repair: bool) -> State:
    from .sqlite import open_sqlite_state

    path = _file("state.url", options.file)
    parts = await open_sqlite_state(path, options.synchronous, repair=repair)
    return State(
        parts.conversations,
        parts.jobs,
        parts.tombstones,
        parts.ledger,
        set_aside=parts.set_aside,
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
