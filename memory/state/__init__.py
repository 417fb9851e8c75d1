"""Durable state: conversations with their turns, jobs, history."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import assert_never

from ..errors import InvalidInputError
from ..ports import ConversationStore, HistoryLog, JobQueue
from .options import HistoryOptions, StateOptions

__all__ = ["HistoryOptions", "State", "StateOptions", "open_history", "open_state"]


@dataclass(frozen=True, slots=True)
class State:
    """Conversations and jobs, which live in one place, and what was wrong with it at the start."""

    conversations: ConversationStore
    jobs: JobQueue
    set_aside: list[Path] = field(default_factory=list)


async def open_state(options: StateOptions) -> State:
    """Open the configured backend.

    Raises:
        StateError: it cannot be opened.
        InvalidInputError: a file is needed and none is named.
    """
    match options.backend:
        case "sqlite":
            from .sqlite import open_sqlite_state

            path = _file("state.url", options.url)
            conversations, jobs, set_aside = await open_sqlite_state(path, options.synchronous)
            return State(conversations, jobs, set_aside)
        case "inmemory":
            from .inmemory import InMemoryConversations, InMemoryJobs

            return State(InMemoryConversations(), InMemoryJobs())
        case _ as never:
            assert_never(never)


async def open_history(options: HistoryOptions) -> tuple[HistoryLog, list[Path]]:
    """Open the configured backend; the list names damaged files that were set aside.

    Raises:
        StateError: it cannot be opened.
        InvalidInputError: a file is needed and none is named.
    """
    match options.backend:
        case "sqlite":
            from .sqlite import HISTORY_MIGRATIONS, Database, SqliteHistory

            database = await Database.open(_file("history.url", options.url), HISTORY_MIGRATIONS)
            return SqliteHistory(database), [database.set_aside] if database.set_aside else []
        case "inmemory":
            from .inmemory import InMemoryHistory

            return InMemoryHistory(), []
        case _ as never:
            assert_never(never)


def _file(key: str, path: Path | None) -> Path:
    if path is None:
        raise InvalidInputError(key, "expected the path of a SQLite file")
    return path
